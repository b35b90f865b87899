package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"querent.dev/querent/core/demo"
	"querent.dev/querent/core/graph"
	"querent.dev/querent/core/pipeline"
	"querent.dev/querent/core/pluginhost/confine"
)

// built is the folder with the real host and the real plugins, side by side as
// they are installed, and demoDatabase the demo's database file.
var built, demoDatabase string

// defectVariable makes this program the host, with a defect of that name.
const defectVariable = "QUERENT_TEST_DEFECT"

// defects are faults in the graphs, which no configuration can bring about.
var defects = map[string]pipeline.Option{
	"invalid_state": pipeline.Control(func(s *graph.Spec[pipeline.Run]) error {
		return s.Replace(pipeline.StepDecomposer, graph.Node[pipeline.Run]{Name: pipeline.StepDecomposer,
			Run: func(context.Context, pipeline.Run) (graph.Update[pipeline.Run], error) { return nil, nil }})
	}),
}

func TestMain(m *testing.M) {
	confine.Enter()
	if defect, ok := defects[os.Getenv(defectVariable)]; ok {
		graphEdits = append(graphEdits, defect)
		main()
	}
	code, err := prepared(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func prepared(m *testing.M) (int, error) {
	dir, err := os.MkdirTemp("", "querent-test-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	built, demoDatabase = filepath.Join(dir, "bin"), filepath.Join(dir, "demo.db")
	for program, source := range map[string]string{
		"querent": ".", "querent-plugin-openai": "../../plugins/openai",
		"querent-plugin-ollama": "../../plugins/ollama", "querent-plugin-template": "../../plugins/template",
		"querent-plugin-failing": "./internal/failing",
	} {
		build := exec.Command("go", "build", "-o", filepath.Join(built, program), source)
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			return 0, fmt.Errorf("build %s: %w\n%s", program, err, out)
		}
	}
	if err := demo.Write(context.Background(), demoDatabase); err != nil {
		return 0, err
	}
	return m.Run(), nil
}
