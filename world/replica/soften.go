package replica

import (
	"fmt"
	"math"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

const (
	wearing = 100 * time.Millisecond       // how long a correction takes
	unseen  = time.Duration(math.MinInt64) // of one that was not shown yet
)

// A Softening is a field that shows another one softly: [Soften].
type Softening struct {
	truth, shown *layout.FieldSpec
	most         float32
	turns        bool
	lanes        int
	reads        func(s world.State, id world.GameObject, dst []float32) bool
	writes       func(s world.State, id world.GameObject, add []float32, share float32) world.State
}

// Soften makes [Mirror.Present] copy truth into shown, for all objects that the client sees. When
// the server corrects a predicted object, shown moves to the new value within 100 ms, while truth,
// with which steps continue, changes at once. A correction of more than most, in units of the
// field, on any axis is a jump, and shown at once. Angles turn the shorter way. The schema's recipe
// must have the kind of shown; the server's objects need not. It panics if the fields are not of
// float32, or most is not positive.
func Soften[T any](truth, shown layout.Field[T], most float32) Softening {
	elements, lanes := truth.Spec().Flat()
	if elements != "float32" || lanes > maxWidth/4 || !(most > 0) || truth.Spec() == shown.Spec() {
		panic(fmt.Sprintf("replica: Soften of %s in %s up to %v; have two fields of at most "+
			"16 float32, and a positive number", truth.Spec(), shown.Spec(), most))
	}
	return Softening{
		truth: truth.Spec(), shown: shown.Spec(), most: most, lanes: lanes,
		reads: func(s world.State, id world.GameObject, dst []float32) bool {
			v, err := world.Get(s, id, truth)
			if err != nil {
				return false
			}
			one := [1]T{v}
			copy(dst, layout.Flat[float32](truth, one[:]))
			return true
		},
		writes: func(
			s world.State, id world.GameObject, add []float32, share float32,
		) world.State {
			v, err := world.Get(s, id, truth)
			if err != nil {
				return s
			}
			one := [1]T{v}
			for i, x := range layout.Flat[float32](truth, one[:]) {
				if add != nil {
					layout.Flat[float32](truth, one[:])[i] = x + float32(add[i]*share)
				}
			}
			if p := world.WriterOf(s, shown).At(id); p != nil {
				*p = one[0]
			}
			return s
		},
	}
}

// makeSoft makes room for corrections.
func (p *Predictor) makeSoft() {
	lanes := 0
	for i := range p.soft {
		f := &p.soft[i]
		if f.reads == nil {
			panic("replica: NewPredictor with the zero Softening; make one by Soften")
		}
		for _, part := range p.mirror.schema.parts {
			f.turns = f.turns || part.spec == f.truth && part.wire.form == angle
		}
		lanes += f.lanes
	}
	p.lanes = lanes
	p.worn = make([]float32, lanes*len(p.mirror.slots))
	p.was = make([]float32, lanes*len(p.mirror.slots))
	p.corrected = make([]time.Duration, len(p.mirror.slots))
}

// lanesOf returns the lanes of seat k.
func (p *Predictor) lanesOf(of []float32, k int) []float32 {
	return of[k*p.lanes:][:p.lanes:p.lanes]
}

// remember keeps where own objects are before a correction.
func (p *Predictor) remember(s world.State) {
	p.eachOwn(func(k int, id world.GameObject) {
		at := p.lanesOf(p.was, k)
		for i := range p.soft {
			f := &p.soft[i]
			if !f.reads(s, id, at[:f.lanes]) {
				at[0] = float32(math.NaN())
			}
			at = at[f.lanes:]
		}
	})
}

// correct notes by how much own objects are shown beside their truth, after a correction: what was
// left of earlier ones, and this one.
func (p *Predictor) correct(s world.State) {
	p.eachOwn(func(k int, id world.GameObject) {
		was, worn := p.lanesOf(p.was, k), p.lanesOf(p.worn, k)
		some := false
		for i, at := 0, 0; i < len(p.soft); i++ {
			f := &p.soft[i]
			off := was[at:][:f.lanes]
			some = f.correction(s, id, off) || some
			at += f.lanes
		}
		if !some {
			return
		}
		share := p.share(k)
		for l := range worn {
			worn[l] = float32(worn[l]*share) + was[l]
		}
		p.corrected[k] = unseen
	})
}

// correction subtracts what a field has now from what it had, and reports whether they differ. A
// jump is none.
func (f *Softening) correction(s world.State, id world.GameObject, was []float32) (some bool) {
	var now [maxWidth / 4]float32
	ok := f.reads(s, id, now[:f.lanes])
	for l := range was {
		was[l] -= now[l]
		if f.turns {
			was[l] = float32(math.Remainder(float64(was[l]), 2*math.Pi))
		}
		ok = ok && was[l] >= -f.most && was[l] <= f.most
		some = some || was[l] != 0
	}
	if !ok {
		clear(was)
	}
	return some
}

func (p *Predictor) eachOwn(each func(k int, id world.GameObject)) {
	for k := 0; len(p.soft) > 0 && k < len(p.mirror.slots); k++ {
		if e := &p.mirror.slots[k]; e.id != world.Nobody && e.own {
			each(k, e.id)
		}
	}
}

// forget has a seat without a correction: another object comes there.
func (p *Predictor) forget(k uint16) { clear(p.lanesOf(p.worn, int(k))) }

// share is how much of a correction is still to be worn off.
func (p *Predictor) share(k int) float32 {
	if p.corrected[k] == unseen {
		return 1
	}
	return 1 - min(1, float32(p.mirror.clock.now-p.corrected[k])/float32(wearing))
}

// presentSoft writes the fields that are shown softly.
func (p *Predictor) presentSoft(s world.State) world.State {
	for k := 0; len(p.soft) > 0 && k < len(p.mirror.slots); k++ {
		e := &p.mirror.slots[k]
		if e.id == world.Nobody {
			continue
		}
		if p.corrected[k] == unseen {
			p.corrected[k] = p.mirror.clock.now
		}
		add, share := p.lanesOf(p.worn, k), p.share(k)
		for i := range p.soft {
			f := &p.soft[i]
			if !e.own || share <= 0 {
				s = f.writes(s, e.id, nil, 0)
			} else {
				s = f.writes(s, e.id, add[:f.lanes], share)
			}
			add = add[f.lanes:]
		}
	}
	for i := range p.guesses {
		for j := 0; j < len(p.soft) && !p.guesses[i].hidden; j++ {
			s = p.soft[j].writes(s, p.guesses[i].id, nil, 0)
		}
	}
	return s
}
