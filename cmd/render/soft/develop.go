package soft

import "math"

const (
	toneSteps = 4096
	toneRange = 8 // more light is white
)

// A toneCurve maps steps of light to colour values.
type toneCurve [toneSteps + 1]uint16

func newToneCurve() *toneCurve {
	var t toneCurve
	for i := range t {
		x := float64(i) / toneSteps * toneRange
		t[i] = uint16(math.Round(255 * math.Pow(1-math.Exp(-1.3*x), 1/1.8)))
	}
	return &t
}

func (c *Canvas) clearBand(band int) {
	from, to := c.crew.rows(band, c.Height)
	clear(c.light.sums[from*c.Width*3 : to*c.Width*3])
}

// develop combines sky, cubes and light into the picture.
func (c *Canvas) develop() {
	if c.light.lit {
		c.crew.run((*Canvas).sumBand)
		c.exposure.adjust()
	}
	c.crew.run((*Canvas).developBand)
}

func (c *Canvas) sumBand(band int) {
	from, to := c.crew.rows(band, c.exposure.high)
	for y := from; y < to; y++ {
		c.exposure.sum(&c.light, y)
	}
}

func (c *Canvas) developBand(band int) {
	from, to := c.crew.rows(band, c.Height)
	for y := from; y < to; y++ {
		row := c.picture.Pix[y*c.picture.Stride:][:c.Width*4]
		c.paintSky(row, y)
		if c.solid.drawn {
			c.solid.resolve(row, y)
		}
		if c.light.lit {
			c.addLight(row, c.light.sums[y*c.Width*3:][:c.Width*3])
		}
	}
}

// paintMargin paints the parts of a row outside of the plane of sprites and texts.
func (c *Canvas) paintMargin(row []uint8, y int) {
	colour := c.Look().Margin
	left, top := int(round(c.plane.Left)), int(round(c.plane.Top))
	if y < top || y >= c.Height-top {
		left = c.Width
	}
	for x := range c.Width {
		if x < left || x >= c.Width-left {
			copy(row[x*4:x*4+3], []uint8{colour.R, colour.G, colour.B})
		}
	}
}

// paintSky fills a row with the sky's colour.
func (c *Canvas) paintSky(row []uint8, y int) {
	top, bottom := c.Look().Sky[0], c.Look().Sky[1]
	t := y * 256 / c.Height
	mix := func(a, b uint8) uint8 { return uint8((int(a)*(256-t) + int(b)*t) >> 8) }
	pixel := [4]uint8{mix(top.R, bottom.R), mix(top.G, bottom.G), mix(top.B, bottom.B), 255}
	copy(row, pixel[:])
	for done := 4; done < len(row); done *= 2 {
		copy(row[done:], row[:done])
	}
}

// addLight adds light to a row: without light pixels stay, and white stays white.
func (c *Canvas) addLight(row []uint8, sums []float32) {
	scale := c.exposure.factor * (toneSteps / toneRange)
	for i := range len(sums) / 3 {
		s, p := sums[i*3:i*3+3:i*3+3], row[i*4:i*4+3:i*4+3]
		if s[0]+s[1]+s[2] > 0 {
			p[0] = c.tone.show(p[0], s[0]*scale)
			p[1] = c.tone.show(p[1], s[1]*scale)
			p[2] = c.tone.show(p[2], s[2]*scale)
		}
	}
}

// show returns a colour value with added light.
func (t *toneCurve) show(under uint8, light float32) uint8 {
	seen := t[int(min(light, toneSteps))]
	return under + uint8(seen*(256-uint16(under))>>8)
}
