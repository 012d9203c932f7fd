package systems

import (
	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// A finding is what finds the values of objects by id, in one world.
//
//	id ──▶ generations: is it alive?         field ──▶ places ──▶ Place: is a walk writing it?
//	   └─▶ Place's block of the object: has it the component, and in which row?
type finding struct {
	generations []uint32         // of the objects, by index
	alive       buffer.Base      // a bit per object, 64 to a word
	places      []*manager.Place // by FieldSpec.Number
}

func findingIn(a *manager.Arena) finding {
	return finding{
		a.Objects.Generations, buffer.BaseOf(buffer.Bytes(a.Objects.Views.Alive)), a.Places,
	}
}

const nowhere = manager.Nowhere

// has reports whether index i exists and has the generation of id. Those that are alive or will be
// next have it: a component tells that an object is alive.
func (f *finding) has(i uint, id GameObject) bool {
	return i < uint(len(f.generations)) && f.generations[i] == id.Generation()
}

// isAlive reports whether id names a live object.
func (f *finding) isAlive(id GameObject) bool {
	i := uint(id.Index())
	return f.has(i, id) && *buffer.At[uint64](f.alive, int(i>>6))>>(i&63)&1 != 0
}

// inLockstep returns the row of an object, or nowhere if it is dead or does not have the component,
// and where the slow paths must look. Hot paths have its two parts inlined.
func (f *finding) inLockstep(p *manager.Place, id GameObject) uint {
	if i := uint(id.Index()); f.has(i, id) {
		return p.InLockstep(i)
	}
	return nowhere
}

// placeOf returns the place of a field that may be read by id, or nil where locate must look.
func (j *job) placeOf(f *layout.FieldSpec) *manager.Place {
	if n := uint(f.Number); n < uint(len(j.finding.places)) {
		if p := j.finding.places[n]; p != nil && (j.walks.Writes|j.part.beside)&p.Mask == 0 {
			return p
		}
	}
	return nil
}

// placeToWrite is placeOf for a field that is written by id.
func (j *job) placeToWrite(f *layout.FieldSpec) *manager.Place {
	if f.Relation != nil || j.part.whole != nil {
		return nil
	}
	return j.placeOf(f)
}

// split notes which managers are of kinds that objects can have. The fields of the others are not
// found by id.
func (j *job) split(c *Counts) {
	j.OnObjects = c.onObjects()
	for i := range j.Managers[j.OnObjects:] {
		for _, f := range j.Managers[j.OnObjects+i].Kind.Fields {
			j.finding.places[f.Number] = nil
		}
	}
}
