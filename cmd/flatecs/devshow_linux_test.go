package main

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// inNarrow returns a terminal of 20 columns and 5 rows, both ends.
func inNarrow(t *testing.T) (file, inside *os.File) {
	t.Helper()
	file, inside = newTerminal(t)
	t.Cleanup(func() { _, _ = file.Close(), inside.Close() })
	size := &unix.Winsize{Col: 20, Row: 5}
	require.NoError(t, unix.IoctlSetWinsize(int(file.Fd()), unix.TIOCSWINSZ, size))
	return file, inside
}

// written returns what was written to a terminal up to a text.
func written(t *testing.T, file *os.File, end string) (text string) {
	t.Helper()
	buffer := make([]byte, 1<<12)
	for !strings.HasSuffix(text, end) {
		n, err := file.Read(buffer)
		require.NoError(t, err)
		text += string(buffer[:n])
	}
	return text
}

// Where a game draws the terminal, a message is wrapped in its first rows, is written again there,
// and leaves none of them; a game that prints lines gets it once, as a line.
func TestDevMessagesInNarrowTerminals(t *testing.T) {
	file, inside := inNarrow(t)
	d := &developing{in: inside, err: inside}
	const text = "a message of 30 columns so wide"
	d.tellFor(text, 0)
	d.remind()
	d.tellFor("next", 0)
	assert.Equal(t, text+"\r\nnext\r\n", written(t, file, "next\r\n"), "one copy of each")

	cooked, err := term.MakeRaw(int(inside.Fd()))
	require.NoError(t, err)
	d.tellFor(text+"\n\tand more\n5\n6\n7", 0)
	rows := []string{"a message of 30 colu", "mns so wide", "  and more", "5", "6"}
	drawn := func(rows ...string) string {
		screen := "\x1b7\x1b[0m"
		for i, row := range rows {
			screen += "\x1b[" + string(rune('1'+i)) + ";1H\x1b[2K" + row
		}
		return screen + "\x1b8"
	}
	assert.Equal(t, drawn(rows...), written(t, file, "\x1b8"))
	d.remind()
	assert.Equal(t, drawn(rows...), written(t, file, "\x1b8"), "over what was drawn since")
	d.tellFor("short", time.Nanosecond)
	assert.Equal(t, drawn("short", "", "", "", ""), written(t, file, "\x1b8"))
	time.Sleep(time.Millisecond)
	d.remind()
	assert.Equal(t, drawn(""), written(t, file, "\x1b8"), "its time is over")
	d.remind()
	require.NoError(t, term.Restore(int(inside.Fd()), cooked))
	d.show("last")
	assert.Equal(t, "last\r\n", written(t, file, "last\r\n"))
}

// A meter takes no more than a line of a narrow terminal, so that it can be taken away.
func TestProgressFitsNarrowTerminals(t *testing.T) {
	file, inside := inNarrow(t)
	p := newProgress(inside, "building a program: 31 of 117 packages")
	p.next = time.Time{}
	p.show(300, 600)
	p.end()
	_, _ = inside.WriteString("$")
	text := written(t, file, "$")
	for part := range strings.SplitSeq(text, "\r") {
		assert.LessOrEqual(t, len([]rune(part)), 19, "%q", part)
	}
	assert.Contains(t, text, "building a program:")
	assert.Equal(t, "$", shown(text))
}

// Where there is no terminal, lines count the packages that are compiled.
func TestPackagesAreCountedInPipes(t *testing.T) {
	var out strings.Builder
	packages, end := waiting(&out, "building")
	packages(1, 117)
	assert.Empty(t, out.String(), "not at once")
	tell := countLines(&out, "building", -time.Second)
	tell(31, 117)
	tell(117, 117)
	end()
	assert.Equal(t, "building: 31 of 117 packages\nbuilding: 117 of 117 packages\n", out.String())
}
