package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// qualityPage describes the tests. In rows that name a step of nightly by -only, -quality writes
// the last cell.
const qualityPage = "docs/QUALITY.md"

// stepRow matches a row of the page: everything before its last cell, with the name of a step.
var stepRow = regexp.MustCompile("(?m)^(\\|.*-only (\\w+)`.* \\|)[^|\n]*\\|$")

// writeQuality writes the last passes of nightly's steps into the page.
func (c *check) writeQuality() error {
	name := filepath.Join(c.root, qualityPage)
	text, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("check: -quality fills in a page of the tree: %w", err)
	}
	return os.WriteFile(name, []byte(fillQuality(string(text), c.nights())), 0o644)
}

// fillQuality returns the page with last cells from nightlyFile: the date, the commit, the step's
// duration, and its count.
func fillQuality(text string, nights map[string][]string) string {
	return stepRow.ReplaceAllStringFunc(text, func(row string) string {
		parts := stepRow.FindStringSubmatch(row)
		line, figure := nights[parts[2]], " not recorded |"
		if len(line) >= 4 {
			figure = fmt.Sprintf(" %s, %.8s", line[2], line[1])
			if line[3] != "0" { // 0: results came from Go's cache
				figure += ", " + line[3] + " s"
			}
			for _, counted := range line[4:] {
				figure += ", " + strings.Replace(counted, "=", " ", 1)
			}
			figure += " |"
		}
		return parts[1] + figure
	})
}
