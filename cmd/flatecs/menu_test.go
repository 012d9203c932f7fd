package main

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/scene/gallery"
)

func TestTheMenuFitsATerminal(t *testing.T) {
	for _, numbered := range []bool{false, true} {
		var out bytes.Buffer
		list(&out, numbered)
		for line := range strings.Lines(out.String()) {
			assert.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), columns, line)
		}
	}
	assert.Equal(t, []string{"a", "bcd", "e f", "g"}, wrapped("a bcd  e f g", 3))
	assert.Equal(t, []string{"longer", "a"}, wrapped("longer a", 3), "a word stays whole")
}

// What the menu offers is a command line, and a scene's name alone runs it, in every form.
func TestASceneIsRunByItsName(t *testing.T) {
	for _, c := range choices() {
		if c.line == "serve" || testing.Short() && strings.Contains(c.line, "--variant") {
			continue
		}
		name, _, _ := strings.Cut(c.line, " ")
		sc, err := gallery.ByName(name)
		require.NoError(t, err)
		flags := few(sc) + " --frames 2 --render none"
		want, got := play(t, "run "+c.line+flags), play(t, c.line+flags)
		assert.Equal(t, want, got, c.line)
		assert.Zero(t, got.code, "%s: %s", c.line, got.err)
	}
	assert.Equal(t, played(t, "run heroes --help"), played(t, "heroes --help"))
	r := play(t, "heroes --fast")
	assert.Contains(t, r.err, "unknown flag --fast")
	r = play(t, "heros")
	assert.Equal(t, 2, r.code)
	assert.Contains(t, r.err, "unexpected argument heros")
}

// The last line needs no end, and lines end as on any system.
func TestChoicesAsTheyAreTyped(t *testing.T) {
	all := choices()
	for typed, want := range map[string]string{
		"2\n": all[1].line, "2\r\n": all[1].line, "\ufeff2\r": all[1].line, "2": all[1].line,
		"\n": all[0].line, "x\n2": all[1].line, "x": "", "": "", "q": "",
	} {
		in := bufio.NewReader(strings.NewReader(typed))
		assert.Equal(t, want, ask(streams{out: io.Discard, err: io.Discard}, in), "%q", typed)
	}
}
