package config

import (
	"regexp"
	"slices"
	"strconv"
	"time"
)

// slot is a parameter's place in a question: {year}.
var slot = regexp.MustCompile(`\{([^{}]*)\}`)

// The types of parameters.
const (
	ParamInt  = "int"
	ParamText = "text"
	ParamDate = "date"
)

func (k *checker) verified() {
	first := map[string]int{}
	for i, v := range k.c.Verified {
		at := path{"verified", strconv.Itoa(i)}
		key := string(v.Datasource) + "/" + v.ID
		if n, taken := first[key]; taken {
			k.fail(at.with("id"), "%q is the id of verified.%d already", v.ID, n)
		} else {
			first[key] = i
		}
		if err := k.c.KnowsDatasource(v.Datasource); err != nil {
			k.fail(at.with("datasource"), "%v", err)
		}
		if len(v.Questions) == 0 {
			k.fail(at.with("questions"), "is empty: expected the questions that this plan answers")
		}
		if _, err := time.Parse(time.DateOnly, v.VerifiedAt); v.VerifiedAt != "" && err != nil {
			k.fail(at.with("verified_at"), "%q is no day: expected YYYY-MM-DD", v.VerifiedAt)
		}
		k.file(at.with("plan"), v.Plan)
		k.slots(at, v)
		for _, name := range sortedKeys(v.Params) {
			k.param(at.with("params").with(name), v.Params[name])
		}
	}
}

// slots checks that questions and params name the same things: a question that
// lacks a slot would leave its plan without the value.
func (k *checker) slots(at path, v Verified) {
	for i, q := range v.Questions {
		at := at.with("questions").with(strconv.Itoa(i))
		var used []string
		for _, m := range slot.FindAllStringSubmatch(q, -1) {
			used = append(used, m[1])
			if _, ok := v.Params[m[1]]; !ok {
				k.fail(at, "{%s} is not under params%s", m[1], didYouMean(m[1], sortedKeys(v.Params)))
			}
		}
		for _, name := range sortedKeys(v.Params) {
			if !slices.Contains(used, name) {
				k.fail(at, "lacks the slot {%s}, which params define", name)
			}
		}
	}
}

func (k *checker) param(at path, p Param) {
	if p.Type != ParamInt && (p.Min != nil || p.Max != nil) {
		k.fail(at, "min and max are for the type int, not %s", p.Type)
	}
	if p.Min != nil && p.Max != nil && *p.Min > *p.Max {
		k.fail(at, "min %d is above max %d", *p.Min, *p.Max)
	}
	if p.Type != ParamText && len(p.Enum) > 0 {
		k.fail(at.with("enum"), "is for the type text, not %s", p.Type)
	}
}
