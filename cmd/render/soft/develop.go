package soft

import (
	"math"
	"slices"
)

const (
	toneSteps = 4096
	toneRange = 8 // light beyond is white
	block     = 4 // pixels each way that exposure looks at together
	bright    = .8
	adapt     = .15 // of the way to a new exposure, per frame
)

// An exposure is the factor that light is seen with.
type exposure struct {
	wide, high int
	blocks     []float32 // mean light per block
	lit        []float32 // of those with light, for sorting
	factor     float32   // 0 before the first frame
	tone       [toneSteps + 1]uint16
}

func (e *exposure) resize(width, height int) {
	e.wide, e.high = (width+block-1)/block, (height+block-1)/block
	e.blocks = make([]float32, e.wide*e.high)
	e.lit = make([]float32, 0, len(e.blocks))
	e.factor = 0
	for i := range e.tone {
		x := float64(i) / toneSteps * toneRange
		e.tone[i] = uint16(math.Round(255 * math.Pow(1-math.Exp(-1.3*x), 1/1.8)))
	}
}

// adjust moves towards the exposure that shows the brighter of the lit blocks well.
func (e *exposure) adjust() {
	e.lit = e.lit[:0]
	for _, x := range e.blocks {
		if x > 0 {
			e.lit = append(e.lit, x)
		}
	}
	if len(e.lit) == 0 {
		return
	}
	slices.Sort(e.lit)
	want := bright / e.lit[len(e.lit)*95/100]
	if e.factor == 0 {
		e.factor = want
	}
	e.factor += adapt * (want - e.factor)
}

func (c *Canvas) clearBand(band int) {
	from, to := c.crew.rows(band, c.height)
	clear(c.light.sums[from*c.width*3 : to*c.width*3])
}

// sumBand adds up the blocks of a band's rows of blocks.
func (c *Canvas) sumBand(band int) {
	e := &c.light.exposure
	from, to := c.crew.rows(band, e.high)
	clear(e.blocks[from*e.wide : to*e.wide])
	for y := from * block; y < min(to*block, c.height); y++ {
		sums := e.blocks[y/block*e.wide:][:e.wide]
		row := c.light.sums[y*c.width*3:][:c.width*3]
		for x := range c.width {
			p := row[x*3 : x*3+3 : x*3+3]
			sums[x/block] += (p[0] + p[1] + p[2]) / (3 * block * block)
		}
	}
}

// develop makes the picture of sky and light.
func (c *Canvas) develop() {
	if c.light.lit {
		c.crew.run(c.passes.sum)
		c.light.exposure.adjust()
	}
	c.crew.run(c.passes.develop)
}

func (c *Canvas) developBand(band int) {
	from, to := c.crew.rows(band, c.height)
	for y := from; y < to; y++ {
		row := c.picture.Pix[y*c.picture.Stride:][:c.width*4]
		c.paintSky(row, y)
		if c.solid.drawn {
			c.solid.resolve(row, y)
		}
		if c.light.lit {
			c.addLight(row, c.light.sums[y*c.width*3:][:c.width*3])
		}
	}
}

// paintSky fills a row with the sky's colour there.
func (c *Canvas) paintSky(row []uint8, y int) {
	top, bottom := c.look.Sky[0], c.look.Sky[1]
	t := y * 256 / c.height
	mix := func(a, b uint8) uint8 { return uint8((int(a)*(256-t) + int(b)*t) >> 8) }
	pixel := [4]uint8{mix(top.R, bottom.R), mix(top.G, bottom.G), mix(top.B, bottom.B), 255}
	copy(row, pixel[:])
	for done := 4; done < len(row); done *= 2 {
		copy(row[done:], row[:done])
	}
}

// addLight shows light over what a row has: nothing leaves it, white leaves white.
func (c *Canvas) addLight(row []uint8, sums []float32) {
	e := &c.light.exposure
	scale := e.factor * (toneSteps / toneRange)
	for i := range len(sums) / 3 {
		s := sums[i*3 : i*3+3 : i*3+3]
		if s[0]+s[1]+s[2] == 0 {
			continue
		}
		p := row[i*4 : i*4+3 : i*4+3]
		for channel, x := range s {
			seen := e.tone[int(min(float32(x*scale), toneSteps))]
			p[channel] += uint8(seen * (256 - uint16(p[channel])) >> 8)
		}
	}
}
