package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const mostLines = 100

// The list has a line for each program, with what its comment says, and begins with the window.
func TestTheListHasEachExample(t *testing.T) {
	var out strings.Builder
	if err := list(&out); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	programs, _ := filepath.Glob("*/main.go")
	if lines := strings.Count(text, "\n"); lines != len(programs)+1 {
		t.Errorf("%d lines for %d programs", lines, len(programs))
	}
	if !strings.HasPrefix(text, "go -C cmd/ebiten run ./bird ") ||
		!strings.Contains(text, "go run ./cmd/examples/hello        # the smallest useful program\n") {
		t.Error(text)
	}
	if _, err := os.Stat("../ebiten/bird/main.go"); err != nil {
		t.Error(err)
	}
}

// Each example is short, says how it is run, and is in the table of GALLERY, in one command.
func TestExamplesAreShortAndListed(t *testing.T) {
	page, err := os.ReadFile("../../docs/GALLERY.md")
	if err != nil {
		t.Fatal(err)
	}
	programs, err := filepath.Glob("*/main.go")
	if err != nil || len(programs) == 0 {
		t.Fatalf("%d examples, %v", len(programs), err)
	}
	for _, program := range programs {
		text, err := os.ReadFile(program)
		if err != nil {
			t.Fatal(err)
		}
		if lines := bytes.Count(text, []byte("\n")); lines > mostLines {
			t.Errorf("%s has %d lines; an example has %d at most", program, lines, mostLines)
		}
		name := filepath.ToSlash(filepath.Dir(program))
		run := "go run ./cmd/examples/" + name
		comment, _, _ := strings.Cut(string(text), "\npackage main")
		if !strings.Contains(comment+"\n", "//\t"+run+"\n") {
			t.Errorf("%s: its package comment does not say %q", program, run)
		}
		if !strings.Contains(string(page), "| `"+run+"` |") {
			t.Errorf("%s is not in the table of docs/GALLERY.md", program)
		}
	}
	if rows := strings.Count(string(page), "| `go run ./cmd/examples/"); rows != len(programs) {
		t.Errorf("docs/GALLERY.md lists %d examples of %d", rows, len(programs))
	}
}
