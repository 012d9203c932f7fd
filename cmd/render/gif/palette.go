package gif

import (
	"cmp"
	"math"
	"slices"
)

const (
	keys       = 1 << 16
	maxEntries = 256
)

// keyer shortens colours to 5 bits of red, 6 of green and 5 of blue; dark ones keep more apart.
type keyer struct{ red, green, blue [256]uint16 }

var keyOf = newKeyer()

func newKeyer() *keyer {
	var k keyer
	for v := range 256 {
		root := math.Sqrt(float64(v) / 255)
		k.red[v] = uint16(root*31+.5) << 11
		k.green[v] = uint16(root*63+.5) << 5
		k.blue[v] = uint16(root*31 + .5)
	}
	return &k
}

func (k *keyer) key(r, g, b uint8) uint16 { return k.red[r] | k.green[g] | k.blue[b] }

// colour returns what a key stands for.
func colour(key int) [3]uint8 {
	value := func(short, most int) uint8 {
		return uint8((short*short*255 + most*most/2) / (most * most))
	}
	return [3]uint8{value(key>>11, 31), value(key>>5&63, 63), value(key&31, 31)}
}

// A shade is the mean colour of a key, and how much it counts.
type shade struct {
	at     [3]float32
	weight float32
}

// A census counts colours, and adds up what falls on a key.
type census [keys]struct{ n, r, g, b uint32 }

func (c *census) count(pix []uint8) {
	for i := 0; i+4 <= len(pix); i += 4 {
		k := &c[keyOf.key(pix[i], pix[i+1], pix[i+2])]
		k.n, k.r, k.g, k.b = k.n+1, k.r+uint32(pix[i]), k.g+uint32(pix[i+1]), k.b+uint32(pix[i+2])
	}
}

// shades returns what was counted.
func (c *census) shades() (all []shade) {
	for i := range c {
		if k := &c[i]; k.n > 0 {
			n := float32(k.n)
			all = append(all, shade{
				[3]float32{float32(k.r) / n, float32(k.g) / n, float32(k.b) / n},
				float32(math.Sqrt(float64(n))), // rare ones matter too
			})
		}
	}
	return all
}

// A palette is entries and the way to them.
type palette struct {
	entries [][3]uint8
	found   [keys]uint16 // 1 + the entry nearest to a short colour; 0: not looked for yet
}

// newPalette returns at most so many colours that serve those counted.
func newPalette(c *census, entries int) *palette {
	p := &palette{}
	for _, b := range cut(c.shades(), entries) {
		p.entries = append(p.entries, mean(b))
	}
	slices.SortFunc(p.entries, func(a, b [3]uint8) int {
		return cmp.Compare(int(a[0])+int(a[1])+int(a[2]), int(b[0])+int(b[1])+int(b[2]))
	})
	return p
}

// cut divides shades by median cut: again and again the group whose colours are farthest apart, at
// half of what counts in it.
func cut(all []shade, groups int) [][]shade {
	if len(all) == 0 {
		return nil
	}
	boxes := [][]shade{all}
	axes, spreads := make([]int, 1, groups), make([]float32, 1, groups)
	axes[0], spreads[0] = widest(all)
	for len(boxes) < groups {
		worst := 0
		for i, s := range spreads {
			if s > spreads[worst] {
				worst = i
			}
		}
		if spreads[worst] == 0 {
			break // a group for each colour
		}
		axis := axes[worst]
		low, high := halve(boxes[worst], axis)
		boxes[worst] = low
		axes[worst], spreads[worst] = widest(low)
		axis, spread := widest(high)
		boxes, axes, spreads = append(boxes, high), append(axes, axis), append(spreads, spread)
	}
	return boxes
}

// widest returns the axis along which colours differ most, and how much that counts.
func widest(b []shade) (axis int, spread float32) {
	for i := range 3 {
		var weight, sum, squares float64
		for _, s := range b {
			w, x := float64(s.weight), float64(s.at[i])
			weight, sum, squares = weight+w, sum+w*x, squares+w*x*x
		}
		if v := float32(squares - sum*sum/weight); v > spread && len(b) > 1 {
			axis, spread = i, v
		}
	}
	return axis, spread
}

// halve sorts a group along an axis and cuts it where half of the weight is, so that both parts
// have something.
func halve(b []shade, axis int) (low, high []shade) {
	slices.SortFunc(b, func(p, q shade) int { return cmp.Compare(p.at[axis], q.at[axis]) })
	var sum, part float32
	for _, s := range b {
		sum += s.weight
	}
	at := 0
	for ; at < len(b)-2 && part+b[at].weight < sum/2; at++ {
		part += b[at].weight
	}
	return b[:at+1], b[at+1:]
}

func mean(b []shade) [3]uint8 {
	var sum [3]float32
	var weight float32
	for _, s := range b {
		weight += s.weight
		for i, x := range s.at {
			sum[i] += s.weight * x
		}
	}
	return [3]uint8{
		uint8(sum[0]/weight + .5), uint8(sum[1]/weight + .5), uint8(sum[2]/weight + .5),
	}
}

// nearest returns the entry for a short colour.
func (p *palette) nearest(key uint16) uint8 {
	if p.found[key] == 0 {
		p.found[key] = 1 + uint16(p.search(colour(int(key))))
	}
	return uint8(p.found[key] - 1)
}

// search returns the entry nearest to a colour.
func (p *palette) search(c [3]uint8) uint8 {
	best, least := 0, math.MaxInt
	for i, e := range p.entries {
		if d := distance(c, e); d < least {
			best, least = i, d
		}
	}
	return uint8(best)
}

// seen is how bright a colour value looks, from 0 to 255: dark ones differ more.
var seen = func() (t [256]int) {
	for v := range t {
		t[v] = int(math.Round(math.Sqrt(float64(v) * 255)))
	}
	return t
}()

// distance returns how different colours look, as eyes weigh red, green and blue; black and white
// are 9 · 255² apart.
func distance(a, b [3]uint8) int {
	r, g, bl := seen[a[0]]-seen[b[0]], seen[a[1]]-seen[b[1]], seen[a[2]]-seen[b[2]]
	return 3*r*r + 4*g*g + 2*bl*bl
}
