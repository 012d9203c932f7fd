package main

import "testing"

func TestUndocumented(t *testing.T) {
	const doc = "// Package p is here.\npackage p\n\n"
	cases := []struct {
		name string
		text string
		want []string
	}{
		{"empty file", "", nil},
		{"package", "package p\n", []string{"world/a.go:1: package world has no comment"}},
		{"function", doc + "func F() {}\n", []string{"world/a.go:4: F has no comment"}},
		{"function with comment", doc + "// F does.\nfunc F() {}\n", nil},
		{"private", doc + "func f() {}\n\ntype t int\n\nconst c = 1\n\nvar v = 1\n", nil},
		{"method", doc + "// T is.\ntype T int\n\nfunc (t *T) M() {}\n", []string{":7: M has no comment"}},
		{"generic method", doc + "// T is.\ntype T[A, B any] int\n\nfunc (t *T[A, B]) M() {}\n", []string{"M has no comment"}},
		{"method of a private type", doc + "type t int\n\nfunc (t) M() {}\n", nil},
		{"type", doc + "type T int\n", []string{"T has no comment"}},
		{"type in a group", doc + "// Types.\ntype (\n\tA int\n\tB int // B is.\n)\n", []string{":6: A has no comment"}},
		{"variables", doc + "var A, b, C int\n", []string{"A has no", "C has no"}},
		{"constants in a group", doc + "// Sides.\nconst (\n\tLeft = 1\n\tRight = 2\n)\n", nil},
		{"constants without", doc + "const (\n\tLeft = 1 // port\n\tRight = 2\n)\n", []string{"Right has no"}},
		{"main has no public names", "// Command p runs.\npackage main\n\nfunc F() {}\n", nil},
		{"under a build tag", "//go:build ecsdebug\n\n" + doc + "func F() {}\n", []string{"F has no"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			expect(t, undocumented(plant(t, files{"world/a.go": c.text})), c.want)
		})
	}
}
