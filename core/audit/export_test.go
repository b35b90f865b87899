package audit

// SealEntry is an entry behind the one with the hash prev, "" for the first: its line
// and its hash. Tests make chains with it that no disk could take in their time.
func SealEntry(e Entry, key Key, prev string) (line []byte, hash string, err error) {
	if prev == "" {
		prev = firstPrev
	}
	kept, line, err := e.sealed(key, prev)
	return line, kept.Hash, err
}
