package main

import (
	"database/sql"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"querent.dev/querent/plugins/openai/openaitest"
	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// Whatever breaks, the run ends in time with its code, its reason, its exit code
// and an explanation by templates, and leaves no process.
func TestFaultsAreExplained(t *testing.T) {
	tests := []struct {
		what   string
		fault  func(t *testing.T, i *installation) (chat func(openaitest.Request) openaitest.Reply)
		code   reason.Code
		why    reason.Reason
		exit   int
		stage  reason.Stage
		waited time.Duration // at the most, beside starting and stopping
	}{
		{"the model is down", modelDown, "PROVIDER_UNAVAILABLE", "unavailable", 5, reason.StageProvider, 0},
		{"the model is slow past its deadline", modelSlow, "PROVIDER_TIMEOUT", "timeout", 5, reason.StageProvider, 2 * time.Second},
		{"the model answers garbage", garbage("I cannot say, but SELECT * FROM stores might do."), "PROVIDER_INVALID_OUTPUT", "invalid_output", 5, reason.StageProvider, 0},
		{"the model's server answers garbage", serverGarbage, "PROVIDER_UNAVAILABLE", "unavailable", 5, reason.StageProvider, 0},
		{"the model invents a column", garbage(strings.ReplaceAll(modelPlan, "s.country", "s.continent")), "PLAN_INVALID", "plan_invalid", 4, reason.StageValidate, 0},
		{"the model asks for what is forbidden", garbage(`{"from":"employees","select":["avg(salary) as pay"]}`), "POLICY_DENIED", "not_permitted", 3, reason.StageAccess, 0},
		{"the plugin is killed in the middle of a call", pluginKilled, "PROVIDER_UNAVAILABLE", "unavailable", 5, reason.StageProvider, 0},
		{"the database's file is missing", databaseMissing, "DATASOURCE_UNREACHABLE", "unavailable", 6, reason.StageExecute, 0},
		// The structure is read anew, and the next plan names what is not there any more.
		{"a table is dropped between planning and running", tableDropped, "PLAN_INVALID", "plan_invalid", 4, reason.StageValidate, 0},
	}
	for _, tt := range tests {
		t.Run(tt.what, func(t *testing.T) {
			i := install(t, "", "http://127.0.0.1:1")
			cloud := openaitest.New(t, openaitest.Script{Chat: func(r openaitest.Request) openaitest.Reply { return openaitest.Text("") }})
			i.cloud = cloud.BaseURL()
			if tt.waited > 0 {
				i.timeout = tt.waited.String()
			}
			if chat := tt.fault(t, i); chat != nil {
				scripted := openaitest.New(t, openaitest.Script{Chat: chat})
				i.cloud = scripted.BaseURL()
			}
			got := i.ask(t, i.configure(t, "cloud"), question)
			f := got.answer.Failure
			if f == nil {
				t.Fatalf("no failure\n%s\n%s", got.raw, got.stderr)
			}
			if f.Code != tt.code || f.Reason != tt.why || got.exit != tt.exit || f.Stage != tt.stage {
				t.Errorf("%s (%s) in stage %s, exit %d; want %s (%s) in stage %s, exit %d\n%s",
					f.Code, f.Reason, f.Stage, got.exit, tt.code, tt.why, tt.stage, tt.exit, got.raw)
			}
			if got.answer.SynthesizedBy != "template" && got.answer.SynthesizedBy != "fixed" {
				t.Errorf("explained by %s", got.answer.SynthesizedBy)
			}
			if f.Requirement != question || f.FailedStep == "" || f.NextAction == "" || got.answer.Summary == "" {
				t.Errorf("the explanation lacks something: %+v", f)
			}
			if got.answer.Outcome == wire.Answered {
				t.Error("the outcome is answered")
			}
		})
	}
}

// modelDown leaves the address of a server that is gone.
func modelDown(t *testing.T, i *installation) func(openaitest.Request) openaitest.Reply {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	i.cloud = "http://" + l.Addr().String() + "/v1"
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return nil
}

func modelSlow(*testing.T, *installation) func(openaitest.Request) openaitest.Reply {
	return openaitest.Always(openaitest.Reply{Hang: true})
}

func garbage(text string) func(*testing.T, *installation) func(openaitest.Request) openaitest.Reply {
	return func(*testing.T, *installation) func(openaitest.Request) openaitest.Reply {
		return openaitest.Always(openaitest.Text(text))
	}
}

func serverGarbage(*testing.T, *installation) func(openaitest.Request) openaitest.Reply {
	return openaitest.Always(openaitest.Reply{Status: 502, ContentType: "text/html", Body: "<html><body>502 Bad Gateway</body></html>"})
}

// pluginKilled kills the plugin that asks, and never answers it.
func pluginKilled(t *testing.T, i *installation) func(openaitest.Request) openaitest.Reply {
	plugin := filepath.Join(i.dir, "querent-plugin-openai")
	return func(openaitest.Request) openaitest.Reply {
		killed := 0
		for _, exe := range executables(t) {
			if exe.path == plugin && syscall.Kill(exe.pid, syscall.SIGKILL) == nil {
				killed++
			}
		}
		if killed == 0 {
			t.Error("the plugin that asks is not to be found")
		}
		return openaitest.Reply{Hang: true}
	}
}

func databaseMissing(t *testing.T, i *installation) func(openaitest.Request) openaitest.Reply {
	if err := os.Remove(i.database()); err != nil {
		t.Fatal(err)
	}
	return openaitest.Always(openaitest.Text(modelPlan))
}

// tableDropped drops the table while the model thinks.
func tableDropped(t *testing.T, i *installation) func(openaitest.Request) openaitest.Reply {
	return func(openaitest.Request) openaitest.Reply {
		db, err := sql.Open("sqlite", i.database())
		if err != nil {
			t.Error(err)
			return openaitest.Text("")
		}
		defer db.Close()
		if _, err := db.Exec("drop table if exists stores"); err != nil {
			t.Error(err)
		}
		return openaitest.Text(modelPlan)
	}
}
