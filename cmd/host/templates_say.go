package main

import (
	"querent.dev/querent/core/config"
	"querent.dev/querent/plugins/template/pack"
)

// say words what the host says in English by the sentences of the template packs
// that the configuration names, of the approved ones where approvals count. A pack
// that cannot be read says nothing here: its plugin tells what is wrong with it.
func say(cfg *config.Config) func(language, english string) string {
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
	return func(language, english string) string { return set.Language(language).Sentence(english) }
}
