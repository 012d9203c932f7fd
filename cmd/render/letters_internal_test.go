package render

import (
	"image"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const needed = "【ECS实现】得分:"

func inked(m *image.Alpha) (sum int) {
	for _, v := range m.Pix {
		sum += int(v)
	}
	return sum
}

// known reports whether a rune is drawn differently from unknown runes.
func known(r rune) bool {
	return !assert.ObjectsAreEqual(drawLetter('\x00', 32, 1, 0, 0), drawLetter(r, 32, 1, 0, 0))
}

func TestEveryLetterIsKnownAndDifferent(t *testing.T) {
	all := []rune(needed + "·×–…→：")
	for r := '!'; r <= '~'; r++ {
		all = append(all, r)
	}
	seen := map[string]rune{}
	for _, r := range all {
		require.True(t, known(r), "%q", r)
		m := drawLetter(r, 32, 1, 0, 0)
		require.Positive(t, inked(m), "%q", r)
		key := string(m.Pix) + m.Rect.String()
		other, twice := seen[key]
		require.False(t, twice && other != r, "%q looks like %q", r, other)
		seen[key] = r
		advance := int(advance(r)*32) + 1
		assert.GreaterOrEqual(t, m.Rect.Min.X, -3, "%q", r)
		assert.LessOrEqual(t, m.Rect.Max.X, advance+3, "%q", r)
	}
	assert.True(t, known(' '))
	assert.Empty(t, drawLetter(' ', 32, 1, 0, 0).Pix)
}

func TestUnknownRunesAreABox(t *testing.T) {
	assert.False(t, known('é'))
	assert.Equal(t, drawLetter('ж', 20, 1, 0, 0), drawLetter('é', 20, 1, 0, 0))
	assert.Positive(t, inked(drawLetter('é', 20, 1, 0, 0)))
}

func TestWidths(t *testing.T) {
	assert.Zero(t, TextWidth(""))
	assert.InDelta(t, float64(advance('a')+advance('b')), float64(TextWidth("ab")), 1e-6)
	for r := '0'; r <= '9'; r++ {
		assert.InDelta(t, float64(advance('0')), float64(advance(r)), 1e-6)
	}
	assert.InDelta(t, 1, float64(advance('得')), 1e-6)
}

func TestDrawnToSize(t *testing.T) {
	small, large := drawLetter('H', 20, 1, 0, 0), drawLetter('H', 80, 1, 0, 0)
	assert.InDelta(t, 16, float64(inked(large))/float64(inked(small)), 2)
	narrow := drawLetter('H', 80, .5, 0, 0)
	assert.InDelta(t, float64(large.Rect.Dx())/2, float64(narrow.Rect.Dx()), 6)
	assert.Equal(t, large.Rect.Dy(), narrow.Rect.Dy())
	shifted := drawLetter('H', 80, 1, 10, 0)
	assert.Equal(t, large.Rect.Add(image.Pt(10, 0)), shifted.Rect)
	assert.Equal(t, large.Pix, shifted.Pix)
	assert.LessOrEqual(t, large.Rect.Min.Y, -56, "capitals are .7 high")
	assert.Positive(t, inked(drawLetter('.', 2, 1, 0, 0)), "however small")
	bold := drawLetter('H', 80, 1, 0, 6)
	assert.Equal(t, large.Rect.Inset(-6), bold.Rect, "wider strokes")
	assert.Greater(t, inked(bold), 2*inked(large))
}
