package arena

import (
	"image/png"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/render/soft"
	"github.com/flatecs/flatecs/world/link"
)

func TestDraw(t *testing.T) {
	m := newMatch(t, 60, link.Conditions{Loss: .05, Delay: 1, Jitter: 2, Seed: 1})
	for range 30 * Ticks {
		m.tick(t)
	}
	for i, name := range []string{"/tmp/arena0.png", "/tmp/arena1.png"} {
		c := soft.New(Look(), soft.Options{Width: 960, Height: 640, Bands: 1})
		c.Init()
		c.Begin()
		require.NoError(t, m.players[i+6].Draw(c))
		_, err := c.End()
		require.NoError(t, err)
		f, err := os.Create(name)
		require.NoError(t, err)
		require.NoError(t, png.Encode(f, c.Image()))
		require.NoError(t, f.Close())
	}
}
