package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// figuresPage is the page whose figures stand between marks, below their commands.
const figuresPage = "docs/PERFORMANCE.md"

// A figure is a number with a unit or a fraction, or a table whose numbers stand to the right.
var figure = regexp.MustCompile(`\d\s?(?:ns|µs|ms|s|%|×|[KMG]B(?:/s)?|times)(?:\W|$)|×\s?\.?\d` +
	`|(?:^|[^\w.])\d*\.\d+(?:[^\w.]|$)|---:\|`)

var codeSpan = regexp.MustCompile("`[^`]*`")

// strayFigures lists the figures of the page that no command stands above.
func strayFigures(t *tree) (found []string) {
	text, err := os.ReadFile(filepath.Join(t.root, figuresPage))
	if err != nil {
		return nil // other trees have no such page
	}
	inside, fenced, command := false, false, false
	for i, line := range strings.Split(string(text), "\n") {
		report := func(what string) {
			found = append(found, fmt.Sprintf("%s:%d: %s; put it between the marks below the "+
				"command that measures it", figuresPage, i+1, what))
		}
		switch {
		case line == "<!-- figures -->":
			if !command {
				report("figures without a command")
			}
			inside = true
		case line == "<!-- end of figures -->":
			inside, command = false, false
		case inside || line == "":
		case strings.HasPrefix(line, "```"):
			fenced = !fenced
			command = command && !fenced || line == "```sh"
		case fenced:
		default:
			command = false
			if f := figure.FindString(codeSpan.ReplaceAllString(line, "")); f != "" {
				report(fmt.Sprintf("%q is a figure", strings.TrimSpace(f)))
			}
		}
	}
	return found
}

// docs is the rules about what is written down.
func docs(t *tree) []string { return append(undocumented(t), strayFigures(t)...) }
