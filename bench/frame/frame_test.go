package frame

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/bench/harness"
)

// sumsOf returns what a library has come to after each of some frames.
func sumsOf(build func(*Script) Game, objects, frames int) (sums []harness.Result) {
	script := NewScript(objects)
	g := build(script)
	defer g.Close()
	sums = append(sums, SumOf(g.Each))
	for range frames {
		script.Next()
		var spent Spent
		g.Frame(&spent)
		sums = append(sums, SumOf(g.Each))
	}
	return sums
}

func TestEveryLibraryComesToTheSameSumInEveryFrame(t *testing.T) {
	sizes := []int{100, 3_000}
	if testing.Short() {
		sizes = []int{800}
	}
	for _, objects := range sizes {
		var want []harness.Result
		for name, library := range libraries {
			got := sumsOf(library, objects, 120)
			if want == nil {
				want = got
			}
			for frame := range want {
				if !assert.Equal(t, want[frame], got[frame], "%s, %d objects, frame %d", name,
					objects, frame) {
					break
				}
			}
		}
	}
}

// Without any one of the systems a world comes to something else, so the sums see all of them.
func TestEverySystemCounts(t *testing.T) {
	played := func(idle int) harness.Result {
		script := NewScript(3_000)
		p := newPlain(script).(*plain)
		if idle >= 0 {
			p.systems[idle] = func() {}
		}
		for range 30 {
			script.Next()
			p.Frame(new(Spent))
		}
		return SumOf(p.Each)
	}
	want := played(-1)
	for system, name := range Systems {
		assert.NotEqual(t, want, played(system), name)
	}
}

// A frame is as large as the package says.
func TestHowMuchHappensInAFrame(t *testing.T) {
	const objects, frames = 20_000, 100
	script := NewScript(objects)
	p := newPlain(script).(*plain)
	gone, pairs, frozen := 0, 0, 0
	for range frames {
		script.Next()
		assert.Len(t, script.Hits, objects/5)
		assert.Len(t, script.Swaps, objects/50)
		assert.Len(t, script.Freeze, objects/200)
		for system, run := range p.systems {
			run()
			if system == age {
				gone += len(p.gone)
			}
		}
		assert.Len(t, script.Hangs, objects/2_000)
		pairs += inReach(p)
	}
	for _, f := range p.frozen {
		if f {
			frozen++
		}
	}
	assert.Equal(t, objects/100, frozen)
	assert.InEpsilon(t, objects/250, gone/frames, .1)
	assert.InEpsilon(t, objects/5, pairs/frames, .15)
	assert.Len(t, p.parent, objects/20)
}

// inReach counts the pairs of bodies that are.
func inReach(p *plain) (pairs int) {
	p.cells.Clear(p.script.Side)
	for i, body := range p.body {
		if body.Radius > 0 {
			p.cells.Add(p.position[i], Reach/2, uint32(i))
		}
	}
	p.cells.Touching(func(uint32, uint32) { pairs++ })
	return pairs
}
