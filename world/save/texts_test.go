package save

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

// TestFilesThatEndWhileTheyAreRead: a file may be cut off by others while it is read.
func TestFilesThatEndWhileTheyAreRead(t *testing.T) {
	file := write(t, small(t), smallOptions())
	h, _ := parsed(t, file)
	for name, c := range map[string]struct {
		size int
		text string
	}{
		"in the header": {pageSize / 2, "the header"},
		// Counters are read before all others.
		"in a part": {int(h.parts[find(h, "stone.heat")].offset) + 3, "in wet.counters"},
	} {
		t.Run(name, func(t *testing.T) {
			cut := bytes.NewReader(file[:c.size])
			_, _, err := Read(cut, int64(len(file)), smallCounts(), smallOptions())
			require.ErrorIs(t, err, ErrTruncated)
			require.ErrorContains(t, err, c.text)
		})
	}
}

// TestColumnsOfAnotherType: a field of the program that has another type, and a bool that is none.
func TestColumnsOfAnotherType(t *testing.T) {
	path := filepath.Join(t.TempDir(), "small.flat")
	file := write(t, small(t), smallOptions())
	heats := layout.NewField[float64]("heat")
	layout.NewKind("stone", heats)
	require.NoError(t, os.WriteFile(path, file, 0o600))
	f, err := Open(path)
	require.NoError(t, err)
	defer f.Close()
	_, err = FileColumn(f, heats)
	require.ErrorIs(t, err, ErrMigration)
	require.ErrorContains(t, err, "stone.heat is int16 × 2 in the file and float64")

	forgery := forged(t, file, func(h *header, parts [][]byte) {
		parts[find(h, "stone.texture")][12] = 2 // Sharp
	})
	require.NoError(t, os.WriteFile(path, forgery, 0o600))
	g, err := Open(path)
	require.NoError(t, err)
	defer g.Close()
	_, err = FileColumn(g, texture)
	require.ErrorIs(t, err, ErrImpossible)
}

// TestMemoryThatAFileMayNotAskFor: each step of reading that makes room beyond the counts is
// refused once a file has taken what one of its size may.
func TestMemoryThatAFileMayNotAskFor(t *testing.T) {
	file := write(t, small(t), smallOptions())
	kind := func(h *header) int {
		return slices.IndexFunc(h.kinds, func(k FileKind) bool { return k.Name == "stone" })
	}
	for text, ask := range map[string]func(l *loader) error{
		"bytes of owners":            (*loader).findRecipes,
		"recipes that the program":   func(l *loader) error { _, err := l.keepRecipe("other"); return err },
		"game objects in":            (*loader).checkUnfolded,
		"stone.heat has 512 bytes":   func(l *loader) error { _, err := l.readApart(l.partOf("stone.heat")); return err },
		"200 objects of stone":       func(l *loader) error { return l.findHolders(&turn{of: kind(l.header)}, false) },
		"that the program lacks tak": func(l *loader) error { _, err := l.keep(&l.header.kinds[kind(l.header)], 3); return err },
	} {
		t.Run(text, func(t *testing.T) {
			h, _ := parsed(t, file)
			l := &loader{
				file: bytes.NewReader(file), header: h, options: &Options{}, counts: smallCounts(),
				taken: 64<<20 + 64*h.size, objects: 200,
			}
			err := ask(l)
			require.ErrorIs(t, err, ErrTooLarge)
			require.ErrorContains(t, err, text)
		})
	}
}

func (l *loader) partOf(title string) *part { return &l.header.parts[find(l.header, title)] }

// TestFilesThatGoOn: the size is right, and the parts end before it.
func TestFilesThatGoOn(t *testing.T) {
	file := write(t, small(t), smallOptions())
	h, _ := parsed(t, file)
	file = append(file, make([]byte, pageSize)...)
	little.PutUint64(file[atSize:], uint64(len(file)))
	seal(file[:little.Uint32(file[atHeader:])])
	_, err := read(file)
	require.ErrorIs(t, err, ErrTrailing)
	require.ErrorContains(t, err, fmt.Sprintf("its parts end at %d", h.size))
}
