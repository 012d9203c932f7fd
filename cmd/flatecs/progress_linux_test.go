package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shown returns what a line of a terminal shows in the end.
func shown(text string) string {
	var line []rune
	for part := range strings.SplitSeq(text[strings.LastIndex(text, "\n")+1:], "\r") {
		for i, r := range []rune(part) {
			line = append(line[:min(i, len(line))], append([]rune{r}, line[min(i+1, len(line)):]...)...)
		}
	}
	return strings.TrimSpace(string(line))
}

func TestWhatTakesLongShowsHowFarItHasCome(t *testing.T) {
	dir := t.TempDir()
	recorded := filepath.Join(dir, "recording")
	played(t, "run cubes --count 10 --frames 3 --record "+recorded)
	slow := filepath.Join(dir, "go") // as the go command is while it builds
	require.NoError(t, os.WriteFile(slow, []byte("#!/bin/sh\nexec sleep 1000\n"), 0o755))
	for line, want := range map[string]string{
		"run cubes --count 10 --frames 1000000000000 --render none":                           "cubes ",
		"run cubes --count 10 --frames 1000000000000 --render none --record /dev/null":        "cubes ",
		"run cubes --count 10 --frames 1000000000000 --render gif --out /dev/null --size 8x8": "cubes ",
		"run flappy --inspect 0 --render none":                                                "flappy (",
		"run heroes --act 3 --frames 1000000000000 --render none":                             "heroes ",
		"serve cubes --addr 127.0.0.1:0":                                                      "building  [",
	} {
		t.Run(line, func(t *testing.T) {
			t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
			w := inWindow(t, "xterm", strings.Fields(line)...)
			w.waitFor(t, want)
			require.NoError(t, w.cmd.Process.Signal(syscall.SIGTERM))
			assert.Equal(t, 143, w.code(t))
			assert.Eventually(t, func() bool { return shown(w.text()) == "" }, time.Minute, time.Millisecond)
			assert.NotContains(t, w.text(), "\x1b", "no more than a line")
		})
	}
}

func TestProgressIsTakenAway(t *testing.T) {
	for _, c := range []struct {
		bytes bool
		total int64
		want  string
	}{{false, 600, "(300/600"}, {true, 8 << 20, "(300/8.4 MB"}, {false, unknown, "300"}} {
		var out bytes.Buffer
		p := &progress{out: &out, what: "saving", bytes: c.bytes}
		p.show(300, c.total)
		assert.Contains(t, out.String(), "saving")
		assert.Contains(t, strings.ReplaceAll(out.String(), " B/", "/"), c.want)
		assert.NotEmpty(t, shown(out.String()))
		p.end()
		assert.Empty(t, shown(out.String()))
		n := out.Len()
		p.show(400, c.total)
		assert.Equal(t, n, out.Len(), "it is over")
	}
}

// A pipe gets no more than what is to be told.
func TestNoProgressInPipes(t *testing.T) {
	var out bytes.Buffer
	assert.Nil(t, newProgress(&out, "saving"))
	file, err := os.Create(filepath.Join(t.TempDir(), "file"))
	require.NoError(t, err)
	defer func() { _ = file.Close() }()
	p := newProgress(file, "saving")
	assert.Nil(t, p)
	assert.Nil(t, p.ofBytes())
	p.show(1, 2)
	p.end()
	_, end := waiting(file, "saving")
	end()
	status, err := file.Stat()
	require.NoError(t, err)
	assert.Zero(t, status.Size())
}
