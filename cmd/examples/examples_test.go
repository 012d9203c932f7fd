package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
)

const mostLines = 100

// The list has a line for each program, with what its comment says, and begins with the window.
func TestTheListHasEachExample(t *testing.T) {
	var out strings.Builder
	require.NoError(t, list(&out))
	text := out.String()
	programs, _ := filepath.Glob("*/main.go")
	assert.Equal(t, len(programs)+1, strings.Count(text, "\n"), text)
	assert.Regexp(t, "^go -C cmd/ebiten run ./bird ", text)
	assert.Contains(t, text, "go run ./cmd/examples/hello        # the smallest useful program\n")
	assert.FileExists(t, "../ebiten/bird/main.go")
}

// Each example is short, says how it is run, and is in the table of GALLERY, in one command.
func TestExamplesAreShortAndListed(t *testing.T) {
	page := string(world.Must(os.ReadFile("../../docs/GALLERY.md")))
	programs := world.Must(filepath.Glob("*/main.go"))
	require.NotEmpty(t, programs)
	for _, program := range programs {
		text := string(world.Must(os.ReadFile(program)))
		assert.LessOrEqual(t, strings.Count(text, "\n"), mostLines, "%s is too long", program)
		run := "go run ./cmd/examples/" + filepath.ToSlash(filepath.Dir(program))
		comment, _, _ := strings.Cut(text, "\npackage main")
		assert.Contains(t, comment+"\n", "//\t"+run+"\n", "%s: its package comment", program)
		assert.Contains(t, page, "| `"+run+"` |", "the table of docs/GALLERY.md")
	}
	assert.Equal(t, len(programs), strings.Count(page, "| `go run ./cmd/examples/"), "docs/GALLERY.md")
}
