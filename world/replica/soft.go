package replica

import (
	"fmt"
	"math"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

const (
	wearing = 100 * time.Millisecond       // duration of a correction
	unseen  = time.Duration(math.MinInt64) // of a correction that was not shown yet
)

// A Softening is a field that shows another field softly: see [Soften].
type Softening struct {
	truth  *layout.FieldSpec
	most   float32
	turns  bool
	lanes  int
	reads  func(s world.State, id world.GameObject, dst []float32) bool
	writes func(s world.State, id world.GameObject, add []float32, share float32) world.State
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
		truth: truth.Spec(), most: most, lanes: lanes,
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
			for i, x := range layout.Flat[float32](truth, one[:])[:len(add)] {
				layout.Flat[float32](truth, one[:])[i] = x + float32(add[i]*share)
			}
			if p := world.WriterOf(s, shown).At(id); p != nil {
				*p = one[0]
			}
			return s
		},
	}
}

// A softener shows the own objects of a mirror with an offset from the truth after a correction.
type softener struct {
	fields    []Softening
	lanes     int             // of all fields
	worn      []float32       // per lane and seat: the remaining offset
	was       []float32       // per lane and seat: the value shown before a correction
	corrected []time.Duration // per seat
}

// newSoftener returns a softener for seats seats.
func newSoftener(schema *Schema, seats int, fields []Softening) *softener {
	o := &softener{fields: fields}
	for i := range fields {
		f := &fields[i]
		if f.reads == nil {
			panic("replica: NewPredictor with the zero Softening; make one by Soften")
		}
		for _, part := range schema.parts[1:] {
			f.turns = f.turns || part.Spec == f.truth && part.Form.IsAngle()
		}
		o.lanes += f.lanes
	}
	o.worn, o.was = make([]float32, o.lanes*seats), make([]float32, o.lanes*seats)
	o.corrected = make([]time.Duration, seats)
	return o
}

// lanesOf returns the lanes of seat k.
func (o *softener) lanesOf(of []float32, k int) []float32 {
	return of[k*o.lanes:][:o.lanes:o.lanes]
}

// remember saves the values of own objects before a correction.
func (o *softener) remember(s world.State, seats []seat) {
	o.eachOwn(seats, func(k int, id world.GameObject) {
		at := o.lanesOf(o.was, k)
		for i := range o.fields {
			f := &o.fields[i]
			if !f.reads(s, id, at[:f.lanes]) {
				at[0] = float32(math.NaN())
			}
			at = at[f.lanes:]
		}
	})
}

// correct computes the offsets of own objects after a correction: the remainder of earlier
// corrections, and this one.
func (o *softener) correct(s world.State, seats []seat, now time.Duration) {
	o.eachOwn(seats, func(k int, id world.GameObject) {
		was, worn := o.lanesOf(o.was, k), o.lanesOf(o.worn, k)
		some := false
		for i, at := 0, 0; i < len(o.fields); i++ {
			f := &o.fields[i]
			off := was[at:][:f.lanes]
			some = f.correction(s, id, off) || some
			at += f.lanes
		}
		if !some {
			return
		}
		share := o.share(k, now)
		for l := range worn {
			worn[l] = float32(worn[l]*share) + was[l]
		}
		o.corrected[k] = unseen
	})
}

// correction subtracts the current values of a field from the old ones, and reports whether they
// differ. A jump does not count.
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

func (o *softener) eachOwn(seats []seat, each func(k int, id world.GameObject)) {
	for k := 0; len(o.fields) > 0 && k < len(seats); k++ {
		if e := &seats[k]; e.id != world.Nobody && e.own {
			each(k, e.id)
		}
	}
}

// resetSeat clears the correction of a seat for another object.
func (o *softener) resetSeat(k uint16) { clear(o.lanesOf(o.worn, int(k))) }

// share returns the remaining share of a correction.
func (o *softener) share(k int, now time.Duration) float32 {
	if o.corrected[k] == unseen {
		return 1
	}
	return 1 - min(1, float32(now-o.corrected[k])/float32(wearing))
}

// present writes the fields that are shown softly.
func (o *softener) present(s world.State, seats []seat, now time.Duration) world.State {
	for k := 0; len(o.fields) > 0 && k < len(seats); k++ {
		e := &seats[k]
		if e.id == world.Nobody {
			continue
		}
		if o.corrected[k] == unseen {
			o.corrected[k] = now
		}
		add, share := o.lanesOf(o.worn, k), o.share(k, now)
		for i := range o.fields {
			f := &o.fields[i]
			if !e.own || share <= 0 {
				s = f.writes(s, e.id, nil, 0)
			} else {
				s = f.writes(s, e.id, add[:f.lanes], share)
			}
			add = add[f.lanes:]
		}
	}
	return s
}

// presentNew writes the fields of an object that was never corrected.
func (o *softener) presentNew(s world.State, id world.GameObject) world.State {
	for i := range o.fields {
		s = o.fields[i].writes(s, id, nil, 0)
	}
	return s
}
