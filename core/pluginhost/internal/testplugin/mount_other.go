//go:build unix && !linux

package main

import "errors"

func mount(string) error { return errors.New("not on this system") }
