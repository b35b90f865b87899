package pack

import "embed"

//go:embed builtin/*.yaml
var builtin embed.FS

// builtinFiles are the packs of the plugin itself. English comes first: it is
// spoken to those whose own language has no pack.
var builtinFiles = []string{"builtin/en.yaml", "builtin/ko.yaml"}

// Builtin is the plugin's own packs, English and Korean.
func Builtin() ([]*Pack, error) {
	var packs []*Pack
	for _, name := range builtinFiles {
		content, err := builtin.ReadFile(name)
		if err != nil {
			return nil, err
		}
		p, err := Parse(name, content)
		if err != nil {
			return nil, err
		}
		packs = append(packs, p)
	}
	return packs, nil
}
