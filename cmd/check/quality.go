package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// qualityPage says what is tested how. The last cell of a row that names a step of nightly by
// -only is written by -quality.
const qualityPage = "docs/QUALITY.md"

// stepRow is a row of the page: what stands before its last cell, with the name of a step.
var stepRow = regexp.MustCompile("(?m)^(\\|.*-only (\\w+)`.* \\|)[^|\n]*\\|$")

// writeQuality writes into the page where each step of nightly passed last.
func (c *check) writeQuality() error {
	name := filepath.Join(c.root, qualityPage)
	text, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("check: -quality fills in a page of the tree: %w", err)
	}
	return os.WriteFile(name, []byte(fillQuality(string(text), c.nights())), 0o644)
}

// fillQuality returns the page with the lines of nightlyFile in its last cells: the date, the
// commit, the time that the step took, and what it counted.
func fillQuality(text string, nights map[string][]string) string {
	return stepRow.ReplaceAllStringFunc(text, func(row string) string {
		parts := stepRow.FindStringSubmatch(row)
		line, figure := nights[parts[2]], " not recorded |"
		if len(line) >= 4 {
			figure = fmt.Sprintf(" %s, %.8s", line[2], line[1])
			if line[3] != "0" { // Go had kept its results
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
