package main

import (
	"golang.org/x/text/language"

	"querent.dev/querent/core/config"
	"querent.dev/querent/plugins/template/pack"
)

// wording is the template packs that the configuration names, of the approved ones
// where approvals count. It is nil where a pack cannot be read: its plugin tells what is
// wrong with it.
func wording(cfg *config.Config) *pack.Set {
	packs, err := pack.Builtin()
	if err != nil {
		return nil
	}
	sets, err := templateSets(cfg)
	if err != nil {
		return nil
	}
	lock, err := openTemplateLock(cfg)
	if err != nil {
		return nil
	}
	for _, s := range sets {
		for _, f := range s.files {
			if f.patterns || lock != nil && lock.check(f.path, f.content) != nil {
				continue
			}
			if p, err := pack.Parse(f.name, f.content); err == nil {
				packs = append(packs, p)
			}
		}
	}
	set, err := pack.NewSet(packs)
	if err != nil {
		return nil
	}
	return set
}

// say words what the host says in English by the sentences of template packs.
func say(set *pack.Set) func(language, english string) string {
	if set == nil {
		return nil
	}
	return func(language, english string) string { return set.Language(language).Sentence(english) }
}

// spokenFor is the language in which template packs word an answer for one who asked for
// another: the same where they have it, in whatever variety.
func spokenFor(set *pack.Set) func(tag string) string {
	if set == nil {
		return nil
	}
	return func(tag string) string {
		own := set.Language(tag).Tag
		if _, _, sure := language.NewMatcher([]language.Tag{own}).Match(language.Make(tag)); sure >= language.High {
			return tag
		}
		return own.String()
	}
}
