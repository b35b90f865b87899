package config

import "strconv"

// leastMemory is what a plugin in Go takes before it has done anything, 78 MB, and a
// step more.
const leastMemory = Bytes(128 << 20)

// confinement checks what plugins are left.
func (k *checker) confinement() {
	for _, name := range sortedKeys(k.c.Plugins) {
		p, at := k.c.Plugins[name], path{"plugins", string(name)}
		if p.Limits != nil && p.Limits.Memory > 0 && p.Limits.Memory < leastMemory {
			k.fail(at.with("limits").with("memory"), "is %s, and a plugin does not start with less than %s", p.Limits.Memory, leastMemory)
		}
		if p.Files == nil {
			continue
		}
		for list, files := range map[string][]string{"read": p.Files.Read, "write": p.Files.Write} {
			for i, file := range files {
				if file == "" {
					k.fail(at.with("files").with(list).with(strconv.Itoa(i)), "is empty: name a file or a folder")
				}
			}
		}
	}
}
