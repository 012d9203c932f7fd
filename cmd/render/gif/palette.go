package gif

import (
	"image/color"
	"math"
)

const maxColours = 255 // and the transparent one

// A palette is a list of colours, the transparent one last, with a cache of nearest colours.
type palette struct {
	color.Palette
	seen  [][3]int       // perceived brightness of each in red, green and blue
	flat  bool           // colours are not dithered
	found [1 << 16]int16 // 1 + the number for a short colour; 0: not computed yet
}

// newPalette returns at most colours colours for frames of RGBA pixels.
func newPalette(frames [][]uint8, colours int) *palette {
	p := &palette{}
	for _, b := range cut(census(frames), colours) {
		c := b.mean()
		p.Palette = append(p.Palette, c)
		p.seen = append(p.seen, [3]int{looks[c.R], looks[c.G], looks[c.B]})
	}
	p.Palette = append(p.Palette, color.RGBA{})
	return p
}

// census returns the colours in frames, weighted by the square roots of their numbers of pixels, so
// that rare colours matter too.
func census(frames [][]uint8) (all box) {
	var pixels [1 << 16]int
	var last [1 << 16][3]uint8
	for _, pix := range frames {
		for i := 0; i+4 <= len(pix); i += 4 {
			key := short(pix[i], pix[i+1], pix[i+2])
			pixels[key]++
			last[key] = [3]uint8(pix[i:])
		}
	}
	for key, n := range pixels {
		if n > 0 {
			all = append(all, shade{last[key], int(math.Ceil(math.Sqrt(float64(n))))})
		}
	}
	return all
}

// short returns a 16-bit key: 5 bits of red, 6 of green and 5 of blue, by perceived brightness.
func short(r, g, b uint8) int { return looks[r]>>3<<11 | looks[g]>>2<<5 | looks[b]>>3 }

// number returns the nearest colour for a pixel, dithered slightly in a fixed pattern, so that
// still areas stay unchanged, and gradients have no visible steps.
func (p *palette) number(rgb []uint8, x, y int) uint8 {
	d := 0
	if !p.flat {
		d = pattern[y&3][x&3]
	}
	r, g, b := bright(rgb[0], d), bright(rgb[1], d), bright(rgb[2], d)
	key := short(r, g, b)
	if p.found[key] == 0 {
		p.found[key] = 1 + p.search(key)
	}
	return uint8(p.found[key] - 1)
}

// search returns the colour nearest to the centre of a short colour, so that the result does not
// depend on the first pixel.
func (p *palette) search(key int) (best int16) {
	rgb := []uint8{middle(key>>11, 5), middle(key>>5&63, 6), middle(key&31, 5)}
	least := math.MaxInt
	for i := range p.seen {
		if d := p.distance(rgb, uint8(i)); d < least {
			best, least = int16(i), d
		}
	}
	return best
}

// distance returns the perceived difference of two colours, with weights for red, green and blue;
// black and white are 9 · 255² apart.
func (p *palette) distance(rgb []uint8, number uint8) int {
	s := p.seen[number]
	r, g, b := looks[rgb[0]]-s[0], looks[rgb[1]]-s[1], looks[rgb[2]]-s[2]
	return 3*r*r + 4*g*g + 2*b*b
}

// looks is the perceived brightness of a colour value, from 0 to 255: dark values differ more.
var looks = func() (t [256]int) {
	for v := range t {
		t[v] = int(math.Round(math.Sqrt(float64(v) * 255)))
	}
	return t
}()

// middle returns the colour value in the middle of those whose brightness begins with the bits of
// part.
func middle(part, bits int) uint8 {
	look := (2*part + 1) << (7 - bits)
	return uint8(look * look / 255)
}

// pattern is the dither that is added to colour values.
var pattern = [4][4]int{{-3, 1, -2, 2}, {3, -1, 2, 0}, {-2, 2, -3, 1}, {2, 0, 3, -1}}

func bright(v uint8, by int) uint8 { return uint8(max(min(int(v)+by, 255), 0)) }
