package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"querent.dev/querent/core/answer"
)

// inCompliance are the lines of configuration that let only templates plan and word.
const inCompliance = `plugin_lock: {mode: require}
template_lock: {mode: require}
settings: {answer: {compliance: true}, results: {row_limit: 40}}
verified:
  - {id: above, datasource: demo, questions: ["products above {n}"], params: {n: {type: int}}, plan: above.json}
  - {id: beyond, datasource: demo, questions: ["number of customers beyond {n}"], params: {n: {type: int}}, plan: beyond.json}
  - {id: countries, datasource: demo, questions: ["countries with more than {n} customers"], params: {n: {type: int}}, plan: countries.json, verified_by: kim, verified_at: 2026-11-01, description: "customers with an account"}
  - {id: first, datasource: demo, questions: ["제품 {n}개"], params: {n: {type: int}}, plan: first.json}
`

// verifiedPlans are the plans of these questions.
var verifiedPlans = map[string]string{
	"above.json":     `{"version":1,"from":"products","where":"price > {n}","select":["products.name","products.price","products.introduced_on"]}`,
	"beyond.json":    `{"version":1,"from":"customers","where":"id > {n}","select":["count(*) as customers"]}`,
	"countries.json": `{"version":1,"from":"customers","select":["customers.country","count(*) as customers","avg(id) as middle"],"having":"count(*) > {n}","order":["customers desc","customers.country"]}`,
	"first.json":     `{"version":1,"from":"products","where":"id <= {n}","select":["products.name"]}`,
}

// templateQuestions are n different questions in two languages, with answers of
// every shape, cut ones, and such as cannot be answered.
func templateQuestions(n int) []string {
	forms := []string{
		"products above %d", "number of customers beyond %d", "countries with more than %d customers", "제품 %d개", "zorks above %d",
	}
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf(forms[i%len(forms)], i/len(forms))
	}
	return out
}

// answersTo asks the host all questions, several at a time, and keeps the bytes of
// the answers.
func (s *serving) answersTo(t *testing.T, questions []string) []string {
	t.Helper()
	out, errs := make([]string, len(questions)), make([]error, len(questions))
	var wait sync.WaitGroup
	turns := make(chan struct{}, 4)
	for n, q := range questions {
		turns <- struct{}{}
		wait.Go(func() {
			defer func() { <-turns }()
			out[n], errs[n] = s.answerTo(t, q)
		})
	}
	wait.Wait()
	for n, err := range errs {
		if err != nil {
			t.Fatalf("%q: %v", questions[n], err)
		}
	}
	return out
}

func (s *serving) answerTo(t *testing.T, question string) (string, error) {
	res, err := s.do(t.Context(), "POST", "/v1/ask", fmt.Sprintf(`{"question": %q, "format": "json"}`, question))
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return "", err
	}
	_, whole, ok := strings.Cut(strings.TrimSuffix(string(text), "\n}\n"), `"answer":`)
	if !ok {
		return "", fmt.Errorf("no answer: %s", text)
	}
	return strings.TrimSpace(whole), nil
}

// compliantHost is a host in compliance mode in a folder of its own, its plugin
// locked and its packs approved.
func compliantHost(t *testing.T) *serving {
	t.Helper()
	i := install(t, "http://127.0.0.1:1", "http://127.0.0.1:1")
	for name, plan := range verifiedPlans {
		if err := os.WriteFile(filepath.Join(i.dir, name), []byte(plan), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	config := i.configure(t, "fixed")
	for _, args := range [][]string{{"plugins", "lock"}, {"templates", "approve", "--by", "kim"}} {
		cmd := exec.Command(filepath.Join(i.dir, "querent"), append(args, "--config", config)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	return i.serve(t, "fixed", inCompliance)
}

// TestComplianceMode asks two hosts that differ in folder, locale and time zone the
// same thousand questions: the answers are the same bytes, valid strict JSON, made
// by the template plugin, and nothing but it was started.
func TestComplianceMode(t *testing.T) {
	questions := templateQuestions(1000)
	if unique := slices.Compact(slices.Sorted(slices.Values(questions))); len(unique) != len(questions) {
		t.Fatalf("%d of %d questions differ", len(unique), len(questions))
	}
	var all [][]string
	for _, machine := range []map[string]string{
		{"LANG": "C", "LC_ALL": "C", "TZ": "UTC", "LANGUAGE": ""},
		{"LANG": "ko_KR.UTF-8", "LC_ALL": "de_DE.UTF-8", "TZ": "Pacific/Kiritimati", "LANGUAGE": "ko:de"},
	} {
		for name, value := range machine {
			t.Setenv(name, value)
		}
		s := compliantHost(t)
		all = append(all, s.answersTo(t, questions))
		s.onlyTemplatesRun(t)
		s.stop(t)
	}
	outcomes := map[string]int{}
	for n, text := range all[0] {
		if text != all[1][n] {
			t.Errorf("%q is answered differently:\n%s\n%s", questions[n], text, all[1][n])
		}
		outcomes[validAnswer(t, text)]++
	}
	if outcomes["answered"] != 800 || outcomes["cannot_answer"] != 200 {
		t.Errorf("the questions are too much alike: %v", outcomes)
	}
}

// onlyTemplatesRun looks for children of the host that run another plugin.
func (s *serving) onlyTemplatesRun(t *testing.T) {
	t.Helper()
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", s.process.Process.Pid))
	if err != nil || len(lists) == 0 {
		t.Fatalf("the host's children are not to be seen: %v", err)
	}
	var programs []string
	for _, list := range lists {
		children, err := os.ReadFile(list)
		if err != nil {
			continue // the thread has ended
		}
		for child := range strings.FieldsSeq(string(children)) {
			args, err := os.ReadFile("/proc/" + child + "/cmdline")
			if err != nil {
				t.Fatal(err)
			}
			program, _, _ := strings.Cut(string(args), "\x00")
			programs = append(programs, filepath.Base(program))
		}
	}
	if len(programs) != 1 || programs[0] != "querent-plugin-template" {
		t.Errorf("the host runs %v", programs)
	}
}

var answerSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(answer.Schema()))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("answer.json", doc); err != nil {
		return nil, err
	}
	return c.Compile("answer.json")
})

// validAnswer checks a strict answer of the template plugin, and returns its outcome.
func validAnswer(t *testing.T, text string) string {
	t.Helper()
	schema, err := answerSchema()
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	if err := schema.Validate(value); err != nil {
		t.Errorf("%v: %s", err, text)
	}
	object := value.(map[string]any)
	if object["synthesized_by"] != "fixed" {
		t.Errorf("worded by %v: %s", object["synthesized_by"], text)
	}
	return fmt.Sprint(object["outcome"])
}
