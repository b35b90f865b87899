package graph

import (
	"fmt"
	"slices"
	"strings"
)

// Replace puts other work in the place of the named step. The routes stay.
func (s *Spec[S]) Replace(name string, w Work[S]) error {
	i, err := s.find(name)
	if err != nil {
		return err
	}
	s.Steps[i].Work = w
	if w.name() != name {
		s.redirect(name, To[S](w.name()))
	}
	return nil
}

// InsertAfter puts a new step behind the named one: it goes where that one went,
// and fails where that one fails.
func (s *Spec[S]) InsertAfter(name string, w Work[S]) error {
	i, err := s.find(name)
	if err != nil {
		return err
	}
	step := Step[S]{Work: w, Next: s.Steps[i].Next, OnError: s.Steps[i].OnError}
	s.Steps[i].Next = To[S](w.name())
	s.Steps = slices.Insert(s.Steps, i+1, step)
	return nil
}

// Remove takes the named step out: what led to it leads to where it went.
func (s *Spec[S]) Remove(name string) error {
	i, err := s.find(name)
	if err != nil {
		return err
	}
	next := s.Steps[i].Next
	s.Steps = slices.Delete(s.Steps, i, i+1)
	s.redirect(name, next)
	return nil
}

func (s *Spec[S]) find(name string) (int, error) {
	var known []string
	for i, step := range s.Steps {
		if step.Work.name() == name {
			return i, nil
		}
		known = append(known, step.Work.name())
	}
	return 0, fmt.Errorf("graph %s has no step %q; it has %s", s.Name, name, strings.Join(known, ", "))
}

// redirect makes every route that led to name follow r instead.
func (s *Spec[S]) redirect(name string, r Route[S]) {
	s.Start = s.Start.redirected(name, r)
	for i := range s.Steps {
		s.Steps[i].Next = s.Steps[i].Next.redirected(name, r)
		s.Steps[i].OnError = s.Steps[i].OnError.redirected(name, r)
	}
}

func (r Route[S]) redirected(name string, to Route[S]) Route[S] {
	if !slices.Contains(names(r.Targets), name) {
		return r
	}
	out := Route[S]{}
	for _, t := range r.Targets {
		if t.To != name {
			out.add(t)
			continue
		}
		for _, further := range to.Targets {
			if t.When != "" {
				further.When = t.When
			}
			out.add(further)
		}
	}
	out.Choose = func(s S) string {
		if chosen := r.choose(s); chosen != name {
			return chosen
		}
		return to.choose(s)
	}
	return out
}

func (r *Route[S]) add(t Target) {
	if !slices.ContainsFunc(r.Targets, func(have Target) bool { return have.To == t.To }) {
		r.Targets = append(r.Targets, t)
	}
}

func (r Route[S]) choose(s S) string {
	if r.Choose == nil {
		return r.Targets[0].To
	}
	return r.Choose(s)
}
