package arena

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/render/soft"
	"github.com/flatecs/flatecs/world/link"
)

// A player's picture has its own tank in the middle, and every actor that it knows of; another side
// sees another picture.
func TestPictureHasWhatIsSeen(t *testing.T) {
	m := newMatch(t, 12, link.Conditions{})
	for range 5 * Ticks {
		m.tick(t)
	}
	var pictures [2][]uint8
	for n := range pictures {
		c := soft.New(Look(), soft.Options{Width: 480, Height: 320, Bands: 1})
		c.Init()
		c.Begin()
		m.players[n].Draw(c)
		report, err := c.End()
		require.NoError(t, err)
		assert.GreaterOrEqual(t, report.Sprites, 4+m.players[n].Status().Sees)
		pictures[n] = append(pictures[n], c.Image().Pix...)
		red, blue := c.Image().RGBAAt(240, 160).R, c.Image().RGBAAt(240, 160).B
		assert.Equal(t, n == 0, red > blue, "the own tank is in the middle")
	}
	assert.NotEqual(t, pictures[0], pictures[1])
}
