package png_test

import (
	stdpng "image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/render"
	"github.com/flatecs/flatecs/cmd/render/png"
	"github.com/flatecs/flatecs/cmd/render/soft"
)

func small() *soft.Canvas { return soft.New(render.Look{}, soft.Options{Width: 8, Height: 6}) }

func draw(t *testing.T, c render.Canvas, frames int) {
	t.Helper()
	c.Init()
	for range frames {
		c.Begin()
		_, err := c.End()
		require.NoError(t, err)
	}
}

func names(t *testing.T, dir string) (found []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		found = append(found, e.Name())
	}
	return found
}

func TestLastFrame(t *testing.T) {
	dir := t.TempDir()
	c := png.New(filepath.Join(dir, "a.png"), small())
	draw(t, c, 3)
	assert.Empty(t, names(t, dir), "nothing before Close")
	require.NoError(t, c.Close())
	require.NoError(t, c.Close(), "again")
	assert.Equal(t, []string{"a.png"}, names(t, dir))
	f, err := os.Open(filepath.Join(dir, "a.png"))
	require.NoError(t, err)
	defer f.Close()
	picture, err := stdpng.Decode(f)
	require.NoError(t, err)
	assert.Equal(t, c.Image().Bounds(), picture.Bounds())
}

func TestNoFrameNoFile(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, png.New(filepath.Join(dir, "a.png"), small()).Close())
	assert.Empty(t, names(t, dir))
}

func TestWriteErrors(t *testing.T) {
	dir := t.TempDir()
	for name, test := range map[string]struct{ path, want string }{
		"no such directory": {filepath.Join(dir, "no", "a.png"), "no such file or directory"},
		"a directory":       {dir, "is a folder; name a file"},
		"a full disk":       {"/dev/full", "no space left on device"},
	} {
		t.Run(name, func(t *testing.T) {
			c := png.New(test.path, small())
			draw(t, c, 1)
			err := c.Close()
			require.ErrorContains(t, err, test.want)
			require.ErrorContains(t, err, "png: "+test.path+" could not be written: ")
			assert.Empty(t, names(t, dir))
		})
	}
}
