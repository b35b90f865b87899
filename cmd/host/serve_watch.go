package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"

	"querent.dev/querent/core/config"
)

// settle is how long files must have been left alone before they are read: editors
// and installers write several, and each in several steps.
const settle = 500 * time.Millisecond

// reloadOnChanges reloads when a file that the configuration uses has changed. Folders
// are watched, so that files which are replaced, or reached over links that are, are
// seen as well.
func (o *operation) reloadOnChanges(ctx context.Context) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		o.logger.Warn("changes of files are not seen; SIGHUP and querent plugins reload reload", "error", err)
		return
	}
	defer w.Close()
	look := time.NewTimer(settle) // a file may have changed while the server started
	defer look.Stop()
	for v := (view{operation: o, watcher: w}); ; {
		select {
		case <-w.Events: // w is closed by us alone
		case err := <-w.Errors:
			o.logger.Warn("changes of files may have been missed", "error", err)
		case <-look.C:
			if v.looking = v.look(ctx); v.looking {
				look.Reset(settle)
			}
			continue
		case <-ctx.Done():
			return
		}
		// Other files of the folders may change all the time, so that events do not
		// put off the look.
		if !v.looking {
			v.looking = true
			look.Reset(settle)
		}
	}
}

// view is what is seen of the files, one look after another.
type view struct {
	*operation
	watcher *fsnotify.Watcher
	files   usedFiles
	of      *prints // that the files were found by
	last    prints
	looking bool // another look is due
}

// look reloads when files are other than those that were read last, and were left
// alone since the look before. It reports whether another look is due.
func (v *view) look(ctx context.Context) bool {
	v.follow()
	now := v.files.print()
	changed, settled := !now.within(*v.read.Load()), maps.Equal(now, v.last)
	v.last = now
	if !changed || !settled {
		return changed
	}
	_, _ = v.reload(ctx, "change of a file") // it has been logged
	v.follow()
	return false
}

// follow watches the files of what was read last, if that is new.
func (v *view) follow() {
	if read := v.read.Load(); read != v.of {
		v.files, v.of = v.usedFiles(), read
		v.files.watch(v.watcher, func(dir string, err error) {
			v.logger.Warn("changes in a folder are not seen", "folder", dir, "error", err)
		})
	}
}

// note remembers the files as they are right before they are read.
func (o *operation) note() {
	now := o.usedFiles().print()
	o.read.Store(&now)
}

// usedFiles are the files that a server reads when it starts, by their paths.
type usedFiles []string

// usedFiles are those of the configuration that acts, and of the one that is written
// down now, which may be wrong.
func (o *operation) usedFiles() usedFiles {
	files := map[string]bool{o.flags.config: true}
	for _, pattern := range []string{"*.yaml", "*.yml"} {
		found, _ := filepath.Glob(filepath.Join(o.flags.config, pattern)) // none where it is a file; the pattern is right
		for _, f := range found {
			files[f] = true
		}
	}
	configs := []*config.Config{o.board.acting().host.cfg}
	if written, _, err := config.Load(o.flags.config); err == nil {
		configs = append(configs, written)
	}
	for _, cfg := range configs {
		for _, f := range namedBy(cfg) {
			files[f] = true
		}
	}
	return slices.Sorted(maps.Keys(files))
}

// fileReference is a ${file:PATH} in a setting.
var fileReference = regexp.MustCompile(`\$\{file:([^}]+)\}`)

// namedBy are the files that a configuration names, but for databases and what is
// written by the server.
func namedBy(cfg *config.Config) []string {
	names := []string{cfg.PluginLock.File, cfg.TemplateLock.File, cfg.Server.APIKeys, cfg.Server.TLS.Cert, cfg.Server.TLS.Key}
	for _, v := range cfg.Verified {
		names = append(names, v.Plan)
	}
	names = slices.AppendSeq(names, maps.Values(cfg.Prompts))
	if sets, err := templateSets(cfg); err == nil {
		for _, set := range sets {
			for _, f := range set.files {
				names = append(names, f.name)
			}
		}
	}
	if dir, err := pluginDir(cfg); err == nil {
		for _, provider := range providersInUse(cfg) {
			if spec, err := pluginSpec(cfg, dir, cfg.Providers[provider].Plugin); err == nil {
				names = append(names, spec.Path)
			}
		}
	}
	if shown, err := json.Marshal(cfg); err == nil {
		for _, m := range fileReference.FindAllSubmatch(shown, -1) {
			names = append(names, string(m[1]))
		}
	}
	var out []string
	for _, name := range names {
		if name != "" {
			out = append(out, cfg.Path(name))
		}
	}
	return out
}

// watch makes w watch the folders of the files, and those that links lead to.
func (u usedFiles) watch(w *fsnotify.Watcher, failed func(dir string, err error)) {
	dirs := map[string]bool{}
	for _, file := range u {
		dirs[filepath.Dir(file)] = true
		if info, err := os.Stat(file); err == nil && info.IsDir() {
			dirs[file] = true
		}
		if real, err := filepath.EvalSymlinks(file); err == nil {
			dirs[filepath.Dir(real)] = true
		}
	}
	for _, old := range w.WatchList() {
		if !dirs[old] {
			_ = w.Remove(old) // it may be gone
		}
	}
	for dir := range dirs {
		if err := w.Add(dir); err != nil {
			failed(dir, err)
		}
	}
}

// hashed is up to which size the content of a file counts. Of larger ones, which are
// executables, size and time do.
const hashed = 1 << 20

// prints tell files, by their paths, from what they were.
type prints map[string]string

// within reports whether all files are as in others.
func (p prints) within(others prints) bool {
	for file, print := range p {
		if others[file] != print {
			return false
		}
	}
	return true
}

func (u usedFiles) print() prints {
	out := prints{}
	for _, file := range u {
		out[file] = printOf(file)
	}
	return out
}

// printOf is the same as long as a file is.
func printOf(file string) string {
	info, err := os.Stat(file)
	if err != nil {
		return "absent"
	}
	if info.IsDir() {
		return "folder"
	}
	if info.Size() > hashed {
		return fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano())
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return "unreadable"
	}
	return sumOf(content)
}
