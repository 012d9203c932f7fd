package wire

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
)

const known = 300 // slots

var (
	shape   = layout.NewComponent[[3]bool]("shape")
	place   = layout.NewComponent[[3]float32]("place")
	turn    = layout.NewComponent[float32]("turn")
	speed   = layout.NewComponent[[5]float32]("speed")
	target  = layout.NewComponent[world.GameObject]("target")
	name    = layout.NewText("name")
	route   = layout.NewList[[2]float32]("route")
	flags   = layout.NewList[bool]("flags")
	burning = layout.NewMark("burning")
	frozen  = layout.NewMark("frozen")

	by = layout.NewField[struct {
		ID   world.GameObject
		Loud [8]bool
	}]("by")
	to  = layout.NewField[world.GameObject]("to")
	far = layout.NewField[uint64]("far")

	all = NewSchema([]layout.Kind{burning, frozen}, measured(
		&Part{Spec: shape.Spec()},
		&Part{Spec: place.Spec(), Form: Fixed(0, 512, 16), Delta: true, To: Others},
		&Part{Spec: place.Spec(), To: Owners},
		&Part{Spec: turn.Spec(), Form: Angle(8)},
		&Part{Spec: speed.Spec(), Form: Half()},
		&Part{Spec: target.Spec(), Ref: true},
		&Part{Spec: name.Spec(), Most: 400, To: Owners},
		&Part{Spec: route.Spec(), Most: 5, Form: Fixed(-1, 1, 8)},
		&Part{Spec: flags.Spec(), Most: 3},
	), []*Event{
		NewEvent("told", to.Spec(), []*layout.FieldSpec{by.Spec(), to.Spec()}),
		NewEvent("far", far.Spec(), []*layout.FieldSpec{far.Spec()}),
	})
)

func measured(parts ...*Part) []*Part {
	for _, p := range parts {
		p.Measure()
	}
	return parts
}

// A content is what a datagram of a server says.
type content struct {
	head   Head
	groups []records
	events []event
}

// Records are a group, a row of values per slot, and keys if it has them.
type records struct {
	Group
	rows [][]uint32
	keys []Key
}

type event struct {
	number uint16
	which  int
	value  []byte
	slots  []uint16
}

// before is the row from which differences are.
func before(slot uint16) (row []uint32) {
	for i := range all.Words {
		row = append(row, uint32(slot)*0x9e37_79b9+uint32(i)*0x85eb_ca6b)
	}
	return row
}

// pair returns the lanes of a value of which there are differences.
func pair(p *Part, row []uint32) uint64 {
	return (uint64(row[p.At]) | uint64(row[p.At+1])<<32) & (1<<(16*p.Lanes) - 1)
}

// write returns c as a datagram.
func (c *content) write(tb testing.TB) []byte {
	tb.Helper()
	b := Begin(nil)
	for i := range c.groups {
		g := &c.groups[i]
		b = g.Append(b)
		for _, k := range g.keys {
			b = k.Append(b)
		}
		for p := range all.In(g.Mask) {
			for n, k := range g.Slots {
				if g.Flags&Small != 0 && p.Delta {
					d, ok := Difference(pair(p, g.rows[n]), pair(p, before(k)))
					require.True(tb, ok)
					b = p.AppendDifference(b, d)
				} else {
					b = p.Append(b, g.rows[n])
				}
			}
		}
	}
	if c.head.Flags&HasEvents != 0 {
		at, last := len(b), c.events[0].number
		b = AppendEvents(b, last)
		for _, e := range c.events {
			b = all.Events[e.which].Append(b, byte(e.number-last), byte(e.which), e.value, e.slots)
			last = e.number
		}
		FinishEvents(b[at:], len(c.events))
	}
	return c.head.Finish(b)
}

// read returns what a datagram says, and whether it says anything.
func read(b []byte) (c content, ok bool) {
	h, body, ok := ReadHead(b)
	c.head = h
	r := NewReader(all, known)
	check := r
	r.Begin(body, h.Age > 0)
	check.Begin(body, h.Age > 0)
	for i := 0; ok && i < int(h.Groups); i++ {
		if ok = check.Next() && check.CheckColumns() && r.Next(); ok {
			c.groups = append(c.groups, recordsOf(&r))
			ok = len(r.Rest()) == len(check.Rest())
		}
	}
	if !ok || h.Flags&HasEvents == 0 {
		return c, ok && len(r.Rest()) == 0
	}
	ok = all.EachEvent(r.Rest(), func(which int, number uint16, b []byte) bool {
		e := all.Events[which]
		got := event{number, which, slices.Repeat([]byte{9}, e.Size), make([]uint16, len(e.Refs))}
		e.Read(got.value, got.slots, b)
		c.events = append(c.events, got)
		return e.Check(got.value, got.slots, known)
	})
	return c, ok
}

// recordsOf returns the group of a reader, which was checked.
func recordsOf(r *Reader) records {
	g := records{Group: Group{r.Mask, r.Flags, slices.Clone(r.Slots)}}
	for i := range g.Slots {
		g.rows = append(g.rows, make([]uint32, all.Words))
		if r.Flags&Keys != 0 {
			g.keys = append(g.keys, r.Key(i))
		}
	}
	for p := range all.In(r.Mask) {
		b, _ := r.Column(p)
		for i, k := range g.Slots {
			if r.Flags&Small != 0 && p.Delta {
				b = p.ReadDifference(g.rows[i], before(k), b)
			} else {
				b = p.Read(g.rows[i], b)
			}
		}
	}
	return g
}

// anything returns a content at random.
func anything(r *rand.Rand) content {
	c := content{head: Head{
		Tick: r.Uint32(), Sequence: uint16(r.Uint32()), Used: uint16(r.Uint32()), Age: 1 + uint8(r.IntN(255)),
		Flags: uint8(r.IntN(4)), Slack: int8(r.Uint32()), Groups: uint8(r.IntN(4)),
	}}
	for range c.head.Groups {
		flags := []uint8{0, Own, Small, Enter, Enter | Own, Enter | Keys, Leave}[r.IntN(7)]
		g := records{Group: Group{all.Visible(flags&Own != 0), flags, []uint16{}}}
		if flags&Leave != 0 {
			g.Mask = 0
		} else if flags&Enter == 0 {
			g.Mask &= r.Uint32()
		}
		for k := r.IntN(200); k < known; k += 1 + r.IntN(200) {
			g.Slots = append(g.Slots, uint16(k))
			g.rows = append(g.rows, anyRow(r, &g.Group, uint16(k)))
			if flags&Keys != 0 {
				g.keys = append(g.keys, Key{uint16(r.Uint32()), uint8(r.Uint32())})
			}
		}
		c.groups = append(c.groups, g)
	}
	number := uint16(r.Uint32())
	for range r.IntN(3) {
		e := event{number, r.IntN(2), make([]byte, 8), nil}
		le.PutUint64(e.value, r.Uint64())
		if e.which == 0 {
			e.value = make([]byte, 24)
			e.value[8+r.IntN(8)], e.slots = 1, []uint16{uint16(r.IntN(known)), known}
		}
		if e.slots == nil {
			e.slots = []uint16{}
		}
		c.events, number = append(c.events, e), number+1+uint16(r.IntN(255))
		c.head.Flags |= HasEvents
	}
	return c
}

// anyRow returns the row of a slot in a group at random: zeros but for the parts of the group.
func anyRow(r *rand.Rand, g *Group, slot uint16) []uint32 {
	row := make([]uint32, all.Words)
	for p := range all.In(g.Mask) {
		b := make([]byte, p.Width)
		switch {
		case p.Most > 0:
			n := r.IntN(p.Most + 1)
			row[p.At], b = uint32(n), make([]byte, n*p.Width)
			for i := range b {
				b[i] = byte(r.IntN(2))
			}
			PutWords(row[p.At+1:], b)
			continue
		case g.Flags&Small != 0 && p.Delta:
			for l := range p.Lanes {
				lane := uint16(p.Form.laneOf(before(slot)[p.At:], l)) + uint16(r.IntN(256)-128)
				le.PutUint16(b[2*l:], lane)
			}
		case p.Ref:
			le.PutUint16(b, uint16(r.IntN(known+1)))
		default:
			for i := range b {
				b[i] = byte(r.IntN(2))
			}
		}
		PutWords(row[p.At:], b)
	}
	return row
}

// What is written is read again.
func TestDatagramsRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		c := anything(r)
		b := c.write(t)
		got, ok := read(b)
		require.Equal(t, len(b) <= link.MaxDatagram, ok)
		if !ok {
			continue
		}
		require.Equal(t, c, got)
		u := Up{uint8(r.Uint32()), r.Uint64(), uint16(r.Uint32()), r.Uint32(), r.Uint32(), uint16(r.Uint32()), 3}
		up, inputs, ok := ReadUp(Seal(append(u.Append(nil), 1, 2, 3)))
		require.True(t, ok)
		require.Equal(t, u, up)
		require.Equal(t, []byte{1, 2, 3}, inputs)
	}
}

// Whatever bytes are read say the same when they were written again; no bytes cause a panic.
func FuzzDatagrams(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		c := anything(r)
		f.Add(c.write(f))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		ReadUp(b)
		if len(b) < HeadSize || len(b) > link.MaxDatagram {
			_, ok := read(b)
			require.False(t, ok)
			return
		}
		c, ok := read(Seal(b))
		if ok {
			again, ok := read(c.write(t))
			require.True(t, ok)
			require.Equal(t, c, again)
		}
	})
}

// The values of a row are near those that were put there, and no farther away than half a step.
func TestForms(t *testing.T) {
	for _, v := range []float32{0, 1, 499.99, 512, 33.333} {
		w := Fixed(0, 512, 16)
		require.InDelta(t, v, w.Value(w.Lane(v)), 512/65535.*0.51)
		w = Half()
		require.InEpsilon(t, v+1, w.Value(w.Lane(v))+1, 0.001)
	}
	w := Fixed(-1, 1, 8)
	require.EqualValues(t, -1, w.Value(w.Lane(float32(math.NaN()))))
	require.EqualValues(t, 1, w.Value(w.Lane(float32(math.Inf(1)))))
	for _, bits := range []int{8, 16} {
		w := Angle(bits)
		for v := float32(-9); v < 9; v += 0.37 {
			got := float64(w.Value(w.Lane(v)))
			require.GreaterOrEqual(t, got, -math.Pi-1e-6)
			require.Less(t, got, math.Pi)
			require.InDelta(t, 1, math.Cos(got-float64(v)), 0.0002)
		}
		require.Zero(t, w.Lane(float32(math.NaN())))
		a, b := w.Lane(3.1), w.Lane(-3.1)
		require.InDelta(t, math.Pi, math.Abs(float64(w.Between(a, b, 0.5))), 0.03, "the shorter way")
	}
}

// Differences fit from -128 to 127 in each lane, and are no others.
func TestDifferences(t *testing.T) {
	for lane := range 4 {
		for _, d := range []int{-32768, -129, -128, -1, 0, 1, 127, 128, 32767} {
			b := uint64(0x1234_8000_7fff_ffff)
			a := b&^(0xffff<<(16*lane)) | uint64(uint16(b>>(16*lane))+uint16(d))<<(16*lane)
			bytes, ok := Difference(a, b)
			require.Equal(t, d >= -128 && d <= 127, ok, d)
			if ok {
				require.Equal(t, uint32(uint8(d))<<(8*lane), bytes)
			}
		}
	}
}
