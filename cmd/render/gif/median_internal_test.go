package gif

import (
	"image/color"
	"testing"

	"github.com/stretchr/testify/assert"
)

// greens returns shades that differ in green alone, by pairs of a value and a weight.
func greens(pairs ...int) (b box) {
	for i := 0; i < len(pairs); i += 2 {
		b = append(b, shade{[3]uint8{7, uint8(pairs[i]), 9}, pairs[i+1]})
	}
	return b
}

func TestTheMedianIsNearAHalf(t *testing.T) {
	for want, b := range map[int]box{
		1: greens(5, 3, 9, 3),
		2: greens(1, 4, 5, 2, 9, 5),
		3: greens(1, 1, 2, 1, 3, 1, 9, 9),
	} {
		assert.Equal(t, want, b.sortToMedian(), "%v", b)
	}
	assert.Equal(t, 1, greens(1, 5, 5, 3, 9, 1).sortToMedian(), "a heavy shade is alone")
}

func TestTheHeaviestBoxIsCut(t *testing.T) {
	boxes := cut(greens(200, 3, 0, 10, 10, 10, 100, 1), 3)
	assert.Equal(t, []box{greens(0, 10), greens(10, 10), greens(100, 1, 200, 3)}, boxes)
	assert.Equal(t, color.RGBA{7, 175, 9, 255}, boxes[2].mean())
	assert.Len(t, cut(greens(1, 1, 2, 1), 9), 2, "no more than there are shades")
}

// A palette that has a colour, or one hardly off, gives that for it: from black to white.
func TestTheNearestColourIsFound(t *testing.T) {
	p := &palette{flat: true}
	for v := 0; v < 256; v += 51 {
		p.Palette = append(p.Palette, color.RGBA{uint8(v), uint8(v), uint8(v), 255})
		p.seen = append(p.seen, [3]int{looks[v], looks[v], looks[v]})
	}
	for v := range 256 {
		off := looks[v] - p.seen[p.search(short(uint8(v), uint8(v), uint8(v)))][0]
		for n := range p.seen {
			other := looks[v] - p.seen[n][0]
			assert.LessOrEqual(t, off*off, other*other+8*8*8, "%d", v)
		}
	}
}
