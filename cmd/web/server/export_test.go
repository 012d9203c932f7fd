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
	"github.com/flatecs/flatecs/world"
)

// names returns what is in a folder.
func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	entries := world.Must(os.ReadDir(dir))
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func read(t *testing.T, path ...string) string {
	t.Helper()
	content := world.Must(os.ReadFile(filepath.Join(path...)))
	return string(content)
}

func TestExport(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "site")
	list := world.Must(server.Export(program, server.Start{Scene: "cubes", Seed: 3}, dir))
	html := read(t, dir, "index.html")
	loaded := 0
	for _, e := range list {
		content := read(t, dir, e.Name)
		assert.Len(t, content, e.Plain)
		packed := world.Must(gzip.NewReader(strings.NewReader(read(t, dir, e.Name+".gz"))))
		for _, unpacked := range []io.Reader{
			packed, brotli.NewReader(strings.NewReader(read(t, dir, e.Name+".br"))),
		} {
			var b bytes.Buffer
			world.Must(b.ReadFrom(unpacked))
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
	assert.Len(t, names(t, dir), 3*len(list)+1, "and a list of them")
	assert.Equal(t, 6, loaded, "three scripts, the program's, a style sheet and the program are checked")
	assert.Contains(t, html, `http-equiv="Content-Security-Policy" content="default-src 'none'`)
	for _, link := range regexp.MustCompile(`(?:src|href|data-program|data-start)="([^"]+)"`).FindAllStringSubmatch(html, -1) {
		if !strings.HasPrefix(link[1], "https://github.com/") {
			assert.FileExists(t, filepath.Join(dir, link[1]), "relative, and there")
		}
	}
}

// The same content has the same names, and other content others.
func TestExportAgain(t *testing.T) {
	dir := t.TempDir()
	var all [3][]string
	for i, scene := range []string{"cubes", "cubes", "flappy"} {
		world.Must(server.Export(program, server.Start{Scene: scene}, dir))
		all[i] = names(t, dir)
	}
	assert.Equal(t, all[0], all[1])
	assert.Len(t, all[2], len(all[0]))
	assert.NotEqual(t, all[0], all[2])
}

// What is written into a folder takes the place of what was before, and nothing else is touched.
func TestFoldersOfOthersAreLeftAlone(t *testing.T) {
	dir := t.TempDir()
	mine, list := filepath.Join(dir, "mine.txt"), filepath.Join(dir, ".flatecs-site")
	require.NoError(t, os.WriteFile(mine, nil, 0o600))
	err := server.WriteFolder(dir, map[string][]byte{"a": nil})
	require.ErrorIs(t, err, server.ErrNotEmpty)
	require.ErrorContains(t, err, "mine.txt")
	require.NoError(t, os.Remove(mine))

	require.NoError(t, server.WriteFolder(dir, map[string][]byte{"a": nil, "b/c": []byte("c")}))
	assert.Equal(t, "c", read(t, dir, "b", "c"))
	require.NoError(t, os.WriteFile(mine, nil, 0o600))
	require.NoError(t, os.Remove(filepath.Join(dir, "b", "c")))
	require.NoError(t, server.WriteFolder(dir, map[string][]byte{"d": nil}))
	assert.Equal(t, []string{".flatecs-site", "b", "d", "mine.txt"}, names(t, dir))

	require.NoError(t, os.WriteFile(list, []byte("../../x\n"), 0o600))
	require.ErrorContains(t, server.WriteFolder(dir, nil), "elsewhere")
}
