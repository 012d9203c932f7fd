package soft

import "math"

const (
	block   = 4   // pixels per side that are measured together
	aim     = .8  // brightness for bright blocks
	highest = 1.7 // a single dot keeps its colour
	adapt   = .15 // fraction of the way to a new exposure, per frame
	steps   = 4   // bits of a float32's fraction in the brightness histogram
)

// An exposure is the factor that is applied to light, and its measurement.
type exposure struct {
	wide, high int       // blocks
	blocks     []float32 // light in each: r + g + b of its pixels
	counts     [1 << (8 + steps)]int32
	factor     float32 // 0 before the first frame with light
}

func (e *exposure) resize(width, height int) {
	e.wide, e.high = (width+block-1)/block, (height+block-1)/block
	e.blocks = make([]float32, e.wide*e.high)
}

// sum sums the pixels of a row of blocks.
func (e *exposure) sum(l *light, y int) {
	dst := e.blocks[y*e.wide:][:e.wide]
	clear(dst)
	for line := y * block; line < min((y+1)*block, l.height); line++ {
		row := l.sums[line*l.width*3:][:l.width*3]
		for x := range dst {
			for _, light := range row[x*block*3 : min((x+1)*block*3, len(row))] {
				dst[x] += light
			}
		}
	}
}

// adjust moves towards the exposure for the bright blocks: the 95th percentile of the lit blocks,
// within a sixteenth.
func (e *exposure) adjust() {
	clear(e.counts[:])
	lit := int32(0)
	for _, sum := range e.blocks {
		if sum > 0 && sum <= math.MaxFloat32 {
			e.counts[math.Float32bits(sum)>>(23-steps)]++
			lit++
		}
	}
	if lit == 0 {
		return
	}
	brighter, at := int32(0), len(e.counts)
	for brighter <= lit/20 {
		at--
		brighter += e.counts[at]
	}
	mean := math.Float32frombits(uint32(at)<<(23-steps)) / (3 * block * block)
	want := min(aim/mean, highest)
	if e.factor == 0 {
		e.factor = want
	}
	e.factor += adapt * (want - e.factor)
}
