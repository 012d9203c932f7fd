package main

import (
	_ "embed"
	"os"
	"strings"
)

// A step is one thing the check does.
type step struct {
	name  string
	does  string   // what holds when it passes
	where string   // the paths it looks at, for git; the gate leaves it out where none differs
	lines []string // commands, of which each runs
}

//go:embed steps.txt
var stepsText string

// steps are those of each section, and words what names stand for.
var steps, words = parse(stepsText)

// parse reads names and what they stand for; then sections, which begin with "== ", and in each
// steps, "name: does", above their indented lines. A # begins a comment.
func parse(text string) (sections map[string][]step, words map[string]string) {
	sections, words = map[string][]step{}, map[string]string{}
	section := ""
	for l := range strings.Lines(text) {
		l, _, _ = strings.Cut(" "+l, " #")
		name, rest, _ := strings.Cut(strings.TrimSpace(l), " ")
		list := sections[section]
		switch {
		case name == "":
		case name == "==":
			section = rest
		case section == "":
			words[name] = strings.TrimPrefix(rest, "= ")
		case !strings.HasPrefix(l, " \t"):
			sections[section] = append(list, step{name: strings.TrimSuffix(name, ":"), does: rest})
		case name == "where":
			list[len(list)-1].where = rest
		default:
			list[len(list)-1].lines = append(list[len(list)-1].lines, strings.TrimSpace(l))
		}
	}
	return sections, words
}

// expand replaces the names that steps.txt sets, and leaves others.
func expand(text string) string {
	return os.Expand(text, func(name string) string {
		if known, ok := words[name]; ok {
			return expand(known)
		}
		return "$" + name
	})
}
