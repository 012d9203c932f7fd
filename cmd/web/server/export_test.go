package server_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/web/server"
)

// names returns what is in a folder.
func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func read(t *testing.T, path ...string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(path...))
	require.NoError(t, err)
	return string(content)
}

func TestExport(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "site")
	list, err := server.Export(program, server.Start{Scene: "cubes", Seed: 3}, dir)
	require.NoError(t, err)
	html := read(t, dir, "index.html")
	loaded := 0
	for _, e := range list {
		content := read(t, dir, e.Name)
		assert.Len(t, content, e.Plain)
		packed, err := gzip.NewReader(strings.NewReader(read(t, dir, e.Name+".gz")))
		require.NoError(t, err)
		for _, unpacked := range []io.Reader{
			packed, brotli.NewReader(strings.NewReader(read(t, dir, e.Name+".br"))),
		} {
			var b bytes.Buffer
			_, err := b.ReadFrom(unpacked)
			require.NoError(t, err)
			assert.Equal(t, content, b.String(), e.Name)
		}
		if e.Name == "index.html" {
			continue
		}
		assert.Regexp(t, `^\w+-[0-9a-f]{16}\.\w+$`, e.Name)
		assert.Contains(t, html, `="`+e.Name+`"`)
		sum := sha512.Sum384([]byte(content))
		if strings.Contains(html, base64.StdEncoding.EncodeToString(sum[:])) {
			loaded++
		}
	}
	assert.Len(t, names(t, dir), 3*len(list))
	assert.Equal(t, 6, loaded, "three scripts, the program's, a style sheet and the program are checked")
	assert.Contains(t, html, `http-equiv="Content-Security-Policy" content="default-src 'none'`)
	for _, link := range regexp.MustCompile(`(?:src|href|data-program|data-start)="([^"]+)"`).FindAllStringSubmatch(html, -1) {
		if !strings.HasPrefix(link[1], "https://github.com/") {
			assert.FileExists(t, filepath.Join(dir, link[1]), "relative, and there")
		}
	}
}

// Another export takes the place of one, and nothing else is touched.
func TestExportAgain(t *testing.T) {
	dir := t.TempDir()
	_, err := server.Export(program, server.Start{Scene: "cubes"}, dir)
	require.NoError(t, err)
	first := names(t, dir)
	_, err = server.Export(program, server.Start{Scene: "cubes"}, dir)
	require.NoError(t, err)
	assert.Equal(t, first, names(t, dir), "the same content has the same names")
	_, err = server.Export(program, server.Start{Scene: "flappy"}, dir)
	require.NoError(t, err)
	assert.Len(t, names(t, dir), len(first))
	assert.NotEqual(t, first, names(t, dir))
	for _, other := range []string{"notes.txt", "app-letters.wasm", "page.js", "index.html.bak"} {
		path := filepath.Join(dir, other)
		require.NoError(t, os.WriteFile(path, []byte("mine"), 0o600))
		_, err = server.Export(program, server.Start{Scene: "cubes"}, dir)
		require.ErrorIs(t, err, server.ErrNotEmpty)
		require.ErrorContains(t, err, other)
		assert.Len(t, names(t, dir), len(first)+1)
		require.NoError(t, os.Remove(path))
	}
}
