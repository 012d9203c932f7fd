package replica

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/replica/internal/wire"
)

// maxBack is the most ticks before the last one that a client can have seen, for hit tests.
const maxBack = ringTicks - 2

// Back returns how many ticks before the server's last tick the client saw the world when it made
// an input: at most 14, and at least the age of the newest tick that the client acknowledged,
// whatever it claims.
func (c *Conn) Back(in Input) float64 {
	now := c.mustBeOpen().table.tick
	back := float64((now<<8-uint32(in.Seen))&(1<<32-1)) / 256
	return min(max(back, float64(now-c.line.base)), maxBack)
}

// Was returns the value of a field as the client of c saw it when it made an input, for hit tests,
// and whether the object was there. The field must have [Wire.Delta]: the server keeps its sent
// values of the last 16 ticks. It panics for other fields.
func Was[T any](c *Conn, in Input, f layout.Field[T], id world.GameObject) (value T, ok bool) {
	t := c.mustBeOpen().table
	p := t.schema.partOf(f.Spec())
	at := float64(t.tick) - c.Back(in)
	tick := uint32(max(at, 0))
	if uint(id.Index()) >= uint(len(t.rows)/t.stride) {
		return value, false
	}
	r := t.row(id.Index())
	if r[0] != id.Generation() || r[1] > tick || tick == 0 {
		return value, false
	}
	a := t.past[p.deltas][tick%ringTicks][id.Index()]
	b := a
	if tick < t.tick {
		b = t.past[p.deltas][(tick+1)%ringTicks][id.Index()]
	}
	share := float32(at - float64(tick))
	if !p.wire.smooth {
		share = 0
	}
	one := [1]T{}
	for l := range layout.Flat[float32](f, one[:]) {
		x, y := uint32(a>>(16*l)&0xffff), uint32(b>>(16*l)&0xffff)
		layout.Flat[float32](f, one[:])[l] = p.Form.Between(x, y, share)
	}
	return one[0], true
}

// partOf returns the part of a field whose past values are kept.
func (s *Schema) partOf(f *layout.FieldSpec) *part {
	for _, p := range s.deltas {
		if p.Spec == f && p.To != wire.Owners {
			return p
		}
	}
	panic("replica: Was of " + f.String() +
		", which the schema does not have with Delta; add it so")
}
