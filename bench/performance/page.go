package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// The marks around figures.
const (
	begin = "<!-- figures -->"
	end   = "<!-- end of figures -->"
)

// A part is some figures of a page, and where they come from.
type part struct {
	heading  string
	commands []string // one per line of the block above, comments included
	from, to int      // the lines between the marks
}

// parts finds the figures of a page.
func parts(lines []string) (found []part, err error) {
	var p part
	inside, fenced := false, false
	for i, line := range lines {
		at := fmt.Sprintf("line %d: ", i+1)
		switch {
		case line == begin && inside, line == end && !inside:
			return nil, errors.New(at + "marks of figures stand in turn")
		case line == begin && len(p.commands) == 0:
			return nil, errors.New(at + "figures without a command; put ```sh above them")
		case line == begin:
			inside, p.from = true, i+1
		case line == end:
			p.to = i
			found = append(found, p)
			inside, p = false, part{heading: p.heading}
		case inside:
		case strings.HasPrefix(line, "```"):
			fenced = line == "```sh"
			if fenced {
				p.commands = nil
			}
		case fenced:
			p.commands = append(p.commands, line)
		case strings.HasPrefix(line, "## "):
			p.heading, p.commands = line[3:], nil
		case line != "":
			p.commands = nil // a block of commands stands directly above its figures
		}
	}
	if inside {
		return nil, errors.New("figures without an end")
	}
	return found, nil
}

// replaced returns a page with other figures in a part.
func replaced(lines []string, p part, figures string) []string {
	text := append([]string{""}, strings.Split(strings.Trim(figures, "\n"), "\n")...)
	return slices.Concat(lines[:p.from], append(text, ""), lines[p.to:])
}
