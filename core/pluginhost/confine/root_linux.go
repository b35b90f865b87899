package confine

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/landlock-lsm/go-landlock/landlock"
	"golang.org/x/sys/unix"
)

// tree is what is shown of the host's files, at the same path.
type tree struct {
	path  string
	write bool
	fd    int
}

// enterRoot makes a tree of files that holds the program, its folder and what it may
// open, goes there, and cuts off everything else. It returns where the program is.
func (o order) enterRoot() (program string, err error) {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return "", fmt.Errorf("parting from the host's mounts: %w", err)
	}
	trees, err := o.trees()
	if err != nil {
		return "", err
	}
	root := o.Own // some folder that is there; its own content was taken along
	if err := unix.Mount("querent", root, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=0755"); err != nil {
		return "", fmt.Errorf("mounting a file system in memory: %w", err)
	}
	if err := copyProgram(o.Program, root+o.programName()); err != nil {
		return "", err
	}
	for _, t := range trees {
		if err := t.show(root); err != nil {
			return "", fmt.Errorf("showing %s: %w", t.path, err)
		}
	}
	if err := pivot(root); err != nil {
		return "", err
	}
	return o.programName(), nil
}

// trees are those that are shown, the outer ones first.
func (o order) trees() ([]tree, error) {
	trees := []tree{{path: o.Own, write: true}}
	for _, path := range o.Files.Read {
		trees = append(trees, tree{path: path})
	}
	for _, path := range o.Files.Write {
		trees = append(trees, tree{path: path, write: true})
	}
	for _, path := range devices {
		if _, err := os.Stat(path); err == nil {
			trees = append(trees, tree{path: path, write: true})
		}
	}
	if linkedWithC {
		trees = append(trees, tree{path: fmt.Sprintf("/proc/%d/task", os.Getpid())})
	}
	slices.SortStableFunc(trees, func(a, b tree) int { return len(a.path) - len(b.path) })
	for n := range trees {
		t := &trees[n]
		fd, err := unix.OpenTree(unix.AT_FDCWD, t.path, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE)
		if err != nil {
			return nil, fmt.Errorf("opening %s: %w", t.path, err)
		}
		t.fd = fd
		if t.write {
			continue
		}
		if err := unix.MountSetattr(fd, "", unix.AT_EMPTY_PATH|unix.AT_RECURSIVE, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}); err != nil {
			return nil, fmt.Errorf("showing %s for reading alone: %w", t.path, err)
		}
	}
	return trees, nil
}

func (t tree) show(root string) error {
	var what unix.Stat_t
	if err := unix.Fstat(t.fd, &what); err != nil {
		return err
	}
	target := root + filepath.Clean(t.path)
	if _, err := os.Lstat(target); errors.Is(err, fs.ErrNotExist) {
		if err := makeTarget(target, what.Mode&unix.S_IFMT == unix.S_IFDIR); err != nil {
			return err
		}
	}
	return unix.MoveMount(t.fd, "", unix.AT_FDCWD, target, unix.MOVE_MOUNT_F_EMPTY_PATH)
}

func makeTarget(path string, folder bool) error {
	if folder {
		return os.MkdirAll(path, 0o755)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, nil, 0o644)
}

// copyProgram copies the executable that was checked: an image in memory could not be
// executed in a tree without /proc.
func copyProgram(from, to string) error {
	source, err := os.Open(from)
	if err != nil {
		return fmt.Errorf("reading the executable: %w", err)
	}
	defer source.Close()
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return fmt.Errorf("copying the executable: %w", err)
	}
	target, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o555)
	if err != nil {
		return fmt.Errorf("copying the executable: %w", err)
	}
	if _, err := io.Copy(target, source); err != nil {
		return errors.Join(fmt.Errorf("copying the executable: %w", err), target.Close())
	}
	if err := errors.Join(target.Chmod(0o555), target.Close()); err != nil {
		return fmt.Errorf("copying the executable: %w", err)
	}
	if strings.HasPrefix(from, "/proc/self/fd/") {
		unix.CloseOnExec(firstExtra) // the image is of no use any more
	}
	return nil
}

// pivot makes root the root, of which nothing but the folders in it may be changed.
func pivot(root string) error {
	if err := os.Chdir(root); err != nil {
		return err
	}
	if err := unix.PivotRoot(".", "."); err != nil {
		return fmt.Errorf("changing the root: %w", err)
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return fmt.Errorf("leaving the host's files: %w", err)
	}
	if err := os.Chdir("/"); err != nil {
		return err
	}
	if err := unix.Mount("", "/", "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NODEV, ""); err != nil {
		return fmt.Errorf("closing the root for writing: %w", err)
	}
	return nil
}

// restrict hands the rules to Landlock, which also keeps the process from signalling
// others, where the kernel is new enough to.
func (o order) restrict(program string) error {
	rules := landlock.V11.BestEffort() // Missing has looked at what must be there
	var err error
	switch {
	case o.ownRoot():
		err = rules.Restrict(o.files(program)...)
	case o.Network == NetworkNone:
		err = errors.Join(rules.RestrictNet(), rules.RestrictScoped())
	case o.Files != nil:
		err = errors.Join(rules.RestrictPaths(o.files(program)...), rules.RestrictScoped())
	}
	if err != nil {
		return fmt.Errorf("taking files away: %w", err)
	}
	return nil
}

func (o order) files(program string) []landlock.Rule {
	rules := []landlock.Rule{landlock.RWDirs(o.Own)}
	if !strings.HasPrefix(program, "/proc/self/fd/") { // an image in memory is nobody's file
		rules = append(rules, landlock.ROFiles(program))
	}
	rules = append(rules, landlock.RWFiles(devices...).IgnoreIfMissing())
	if o.Network != NetworkNone {
		rules = append(rules, landlock.RODirs(networkFolders...).IgnoreIfMissing(), landlock.ROFiles(networkFiles...).IgnoreIfMissing())
	}
	for _, path := range o.Files.Read {
		rules = append(rules, rule(path, landlock.RODirs, landlock.ROFiles))
	}
	for _, path := range o.Files.Write {
		rules = append(rules, rule(path, landlock.RWDirs, landlock.RWFiles))
	}
	return rules
}

// devices hold nothing, and standard libraries count on them.
var devices = []string{"/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"}

// What resolving names and checking certificates reads, on the usual distributions.
var (
	networkFiles   = []string{"/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/services", "/etc/localtime", "/run/systemd/resolve/stub-resolv.conf"}
	networkFolders = []string{"/etc/ssl", "/etc/pki", "/usr/share/ca-certificates", "/usr/local/share/ca-certificates"}
)

func rule(path string, folders, files func(...string) landlock.FSRule) landlock.Rule {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return folders(path)
	}
	return files(path)
}
