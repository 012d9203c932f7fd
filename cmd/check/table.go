package main

import (
	_ "embed"
	"os"
	"strings"
)

// A step is one step of the check.
type step struct {
	name  string
	does  string   // what a pass means
	where string   // the paths it depends on, for git; without a change the gate skips it
	lines []string // commands
}

//go:embed steps.txt
var stepsText string

// steps are the steps of each section, and words the values of names.
var steps, words = parse(stepsText)

// parse parses names with values, and then sections, which begin with "== ": each step is "name:
// does", above its indented commands. A # begins a comment.
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

// expand replaces the names that steps.txt defines.
func expand(text string) string {
	return os.Expand(text, func(name string) string {
		if known, ok := words[name]; ok {
			return expand(known)
		}
		return "$" + name
	})
}
