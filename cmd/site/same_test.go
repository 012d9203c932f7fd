package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What other machines printed is read; a folder without it, or with another text, is refused.
func TestDigestsThatMachinesLeft(t *testing.T) {
	dir := t.TempDir()
	_, err := readLeft(dir)
	require.ErrorContains(t, err, "has no .txt files; give --digests a folder")
	put := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	printed := func(machine, digest string) string {
		return "10000 objects, 100000 ticks, on " + machine + "\n  10000 of 100000 ticks, 1.7 s\n" +
			"digest " + digest + " after 100000 ticks, in 13.5 s\nthe same as golden\n"
	}
	put("b.txt", printed("js/wasm", "4f4b415a5cc218dd"))
	put("a.txt", printed("linux/arm64", "0123456789abcdef"))
	all, err := readLeft(dir)
	require.NoError(t, err)
	assert.Equal(t,
		[][2]string{{"js/wasm", "4f4b415a5cc218dd"}, {"linux/arm64", "0123456789abcdef"}}, all)
	b := book{Left: all}
	assert.Equal(t, "js/wasm=4f4b415a5cc218dd linux/arm64=0123456789abcdef", b.Same())
	assert.Empty(t, (&book{}).Same())
	assert.Regexp(t, `^[0-9a-f]{16}$`, (&book{tree: os.DirFS("../..")}).Golden())
	put("c.txt", "10000 objects, 100000 ticks, on js/wasm\n  10000 of 100000 ticks, 1.7 s\n")
	_, err = readLeft(dir)
	require.ErrorContains(t, err, "c.txt is not what go run ./cmd/same prints")
}
