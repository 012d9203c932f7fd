package manager

import (
	"github.com/flatecs/flatecs/buffer"
)

// MaskOf returns the bit of a kind in masks of kinds. Several kinds may share a bit.
func MaskOf(number uint32) uint64 { return 1 << (number & 63) }

// InLockstep returns the row of an object that has the component in lockstep, and false for any
// other object. The world must have room for the object.
func (p *Place) InLockstep(object uint) (row uint, ok bool) {
	b := buffer.At[blockRecord](p.blocks, int(object>>6))
	row = uint(uint32(object) + b.Base)
	return row, (b.Present&^b.Odd)>>(object&63)&1 != 0 && row < p.rows
}

// IsOn is [Manager.Has] for an object below the capacity of the world.
func IsOn(m *Manager, object uint) bool {
	return buffer.At[blockRecord](m.Blocks.base, int(object>>6)).Present>>(object&63)&1 != 0
}

// makePlaces makes the places of the fields of all kinds.
func makePlaces(a *Arena) {
	fields, last := 0, uint32(0)
	for i := range a.Managers {
		for _, f := range a.Managers[i].Kind.Fields {
			fields, last = fields+1, max(last, f.Number)
		}
	}
	a.Places = make([]*Place, last+1)
	places := make([]Place, fields)
	for i := range a.Managers {
		m := &a.Managers[i]
		n := len(m.Kind.Fields)
		m.Places, places = places[:n:n], places[n:]
		for i, f := range m.Kind.Fields {
			m.Places[i] = Place{
				Column: m.Data.Columns[i].Base, blocks: buffer.BaseOf(buffer.Bytes(m.Blocks.list)),
				rows: uint(m.Rows.Cap()), Mask: MaskOf(m.Kind.Number), Manager: m, Field: f,
			}
			a.Places[f.Number] = &m.Places[i]
		}
	}
	a.Places[0] = nil // of foreign fields
}
