package realollama

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// buildTimeout bounds the build, which takes about four minutes on two idle cores.
const buildTimeout = 25 * time.Minute

// miniaudio is in the place of the one header that neither the module nor Debian
// has: an archive of a module leaves folders named vendor out.
//
//go:embed miniaudio.h
var miniaudio []byte

// headers are those that Debian has, by the packages that hold them.
var headers = map[string]string{
	"/usr/include/nlohmann/json.hpp": "nlohmann-json3-dev",
	"/usr/include/stb/stb_image.h":   "libstb-dev",
}

// environment is that of the test binary before a test changed it.
var environment = os.Environ()

const vendorModule = "github.com/ollama/ollama"

// program is the path of the server's program, built once for each version that
// go.mod has named.
var program = sync.OnceValues(func() (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), buildTimeout)
	defer cancel()
	root, err := goList(ctx, "{{.Dir}}", "querent.dev/querent")
	if err != nil {
		return "", err
	}
	version, err := goList(ctx, "{{.Version}}", vendorModule)
	if err != nil {
		return "", err
	}
	b := build{dir: filepath.Join(root, ".cache", "ollama", version), version: version}
	if err := b.once(ctx); err != nil {
		return "", fmt.Errorf("build the Ollama server: %w", err)
	}
	return b.program(), nil
})

// goList asks of a module that go.mod names.
func goList(ctx context.Context, format, module string) (string, error) {
	var out, said bytes.Buffer
	c := exec.CommandContext(ctx, "go", "list", "-m", "-f", format, module)
	c.Env, c.Stdout, c.Stderr = environment, &out, &said
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("go list %s: %w\n%s", module, err, said.Bytes())
	}
	return strings.TrimSpace(out.String()), nil
}

// build builds one version into its own folder.
type build struct{ dir, version string }

func (b build) program() string { return filepath.Join(b.dir, "bin", "ollama") }

// once builds unless the program is there. Test binaries that want it at a time
// wait for the one that builds.
func (b build) once(ctx context.Context) error {
	if err := os.MkdirAll(filepath.Join(b.dir, "include", "miniaudio"), 0o755); err != nil {
		return err
	}
	lock, err := os.Create(filepath.Join(b.dir, "lock"))
	if err != nil {
		return err
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return fmt.Errorf("wait for another build: %w", err)
	}
	if _, err := os.Stat(b.program()); err == nil {
		return nil
	}
	for file, pack := range headers {
		if _, err := os.Stat(file); err != nil {
			return fmt.Errorf("the header %s is missing; install it, on Debian with: apt-get install %s", file, pack)
		}
	}
	if err := os.WriteFile(filepath.Join(b.dir, "include", "miniaudio", "miniaudio.h"), miniaudio, 0o644); err != nil {
		return err
	}
	return b.run(ctx)
}

// run leaves the optimizer most of its work: tiny models need little speed, and
// the build takes a third less. It is nice to what else the machine does.
func (b build) run(ctx context.Context) error {
	c := exec.CommandContext(ctx, "nice", "go", "install",
		"-ldflags", "-s -w -X="+vendorModule+"/version.Version="+strings.TrimPrefix(b.version, "v"),
		vendorModule+"@"+b.version)
	c.Dir = b.dir
	c.Env = append(slices.Clone(environment), "GOFLAGS=", "GOBIN="+filepath.Join(b.dir, "new"), "CGO_ENABLED=1",
		"CGO_CFLAGS=-O1 -g0", "CGO_CXXFLAGS=-O1 -g0", "CPLUS_INCLUDE_PATH="+filepath.Join(b.dir, "include"))
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return os.Rename(filepath.Join(b.dir, "new"), filepath.Dir(b.program()))
}
