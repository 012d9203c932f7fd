package main

import "testing"

func TestDifferencesAreNoOrder(t *testing.T) {
	for name, c := range map[string]struct {
		code string
		want []string
	}{
		"cut":      {"func compare(a, b int64) int { return int(a - b) }", []string{"a.go:3: a difference is no order"}},
		"whole":    {"func compare(a, b int) int { return a - b }", []string{"write cmp.Compare"}},
		"literal":  {"var f = func(a, b uint8) int { return int(a) - int(b) }", []string{"a.go:3"}},
		"method":   {"func (l *L) by(a, b T) int { x(); return int(l.at(a) - l.at(b)) }", []string{"a.go:3"}},
		"compared": {"func compare(a, b int64) int { return cmp.Compare(a, b) }", nil},
		"length":   {"func between(from, to layout.Row) layout.Row { return to - from }", nil},
		"other":    {"func f(a, b int, c bool) int { return a - b }", nil},
	} {
		t.Run(name, func(t *testing.T) {
			expect(t, differences(plant(t, files{"world/a.go": "package p\n\n" + c.code + "\n"})), c.want)
		})
	}
}
