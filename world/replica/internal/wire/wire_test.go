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

// before is the row from which differences are.
func before(slot uint16) (row []uint32) {
	for i := range all.Words {
		row = append(row, uint32(slot)*0x9e37_79b9+uint32(i)*0x85eb_ca6b)
	}
	return row
}

// rowOf is what datagrams of this test say of a slot.
func rowOf(slot uint16) []uint32 {
	r, row := rand.New(rand.NewPCG(uint64(slot), 5)), make([]uint32, all.Words)
	for _, p := range all.Parts {
		n, b := 1, make([]byte, (p.Most+1)*p.Width)
		if p.Most > 0 {
			n = r.IntN(min(p.Most, 5<<r.IntN(7)) + 1)
			row[p.At] = uint32(n)
		}
		b = b[:n*p.Width]
		for i := range b {
			b[i] = byte(r.IntN(2))
		}
		for l := 0; p.Delta && l < p.Lanes; l++ {
			lane := uint16(p.Form.laneOf(before(slot)[p.At:], l)) + uint16(r.IntN(256)-128)
			le.PutUint16(b[2*l:], lane)
		}
		PutWords(row[p.At+min(p.Most, 1):], b)
	}
	return row
}

// difference returns that of a slot from before.
func difference(p *Part, row []uint32, slot uint16) (uint32, bool) {
	pair := func(row []uint32) uint64 {
		return (uint64(row[p.At]) | uint64(row[p.At+1])<<32) & (1<<(16*p.Lanes) - 1)
	}
	return Difference(pair(row), pair(before(slot)))
}

// anything returns a datagram at random.
func anything(r *rand.Rand) []byte {
	b := Begin(nil)
	h := Head{
		Tick: r.Uint32(), Sequence: uint16(r.Uint32()), Used: uint16(r.Uint32()), Age: 1 + uint8(r.IntN(255)),
		Flags: uint8(r.IntN(4)), Slack: int8(r.Uint32()), Groups: uint8(r.IntN(4)),
	}
	for range h.Groups {
		flags := []uint8{0, Own, Small, Enter, Enter | Own, Enter | Keys, Leave}[r.IntN(7)]
		g := Group{Mask: all.Visible(flags&Own != 0), Flags: flags}
		switch {
		case flags&Leave != 0:
			g.Mask = 0
		case flags&Enter == 0:
			g.Mask &= r.Uint32()
		}
		for k := r.IntN(200); k < known; k += 1 + r.IntN(200) {
			g.Slots = append(g.Slots, uint16(k))
		}
		b = g.Append(b)
		for range g.Slots {
			if flags&Keys != 0 {
				b = Key{uint16(r.Uint32()), uint8(r.Uint32())}.Append(b)
			}
		}
		for p := range all.In(g.Mask) {
			for _, k := range g.Slots {
				if flags&Small != 0 && p.Delta {
					d, _ := difference(p, rowOf(k), k)
					b = p.AppendDifference(b, d)
				} else {
					b = p.Append(b, rowOf(k))
				}
			}
		}
	}
	if count := r.IntN(4); count > 0 {
		h.Flags |= HasEvents
		at, value := len(b), make([]byte, 24)
		value[8+r.IntN(8)] = 1
		b = AppendEvents(b, uint16(r.Uint32()))
		for i := range count {
			which := r.IntN(2)
			b = all.Events[which].Append(b, uint8(i*(1+r.IntN(50))), uint8(which), value, []uint16{known, uint16(i)})
		}
		FinishEvents(b[at:], count)
	}
	return h.Finish(b)
}

// rewrite reads a datagram and writes what it read, and reports whether that says anything; look is
// called with each row.
func rewrite(b []byte, look func(mask uint32, slot uint16, row []uint32)) (again []byte, ok bool) {
	h, body, ok := ReadHead(b)
	if !ok {
		return nil, false
	}
	r, check := NewReader(all, known), NewReader(all, known)
	r.Begin(body, h.Age > 0)
	check.Begin(body, h.Age > 0)
	again = Begin(nil)
	for range h.Groups {
		if !check.Next() || !check.CheckColumns() || !r.Next() {
			return nil, false
		}
		again = r.Append(again)
		rows := make([][]uint32, len(r.Slots))
		for i := range r.Slots {
			if rows[i] = make([]uint32, all.Words); r.Flags&Keys != 0 {
				again = r.Key(i).Append(again)
			}
		}
		for p := range all.In(r.Mask) {
			b, _ := r.Column(p)
			for i, k := range r.Slots {
				if r.Flags&Small != 0 && p.Delta {
					b = p.ReadDifference(rows[i], before(k), b)
					d, _ := difference(p, rows[i], k)
					again = p.AppendDifference(again, d)
				} else {
					b = p.Read(rows[i], b)
					again = p.Append(again, rows[i])
				}
			}
		}
		for i, k := range r.Slots {
			look(r.Mask, k, rows[i])
		}
	}
	if h.Flags&HasEvents == 0 {
		return h.Finish(again), len(r.Rest()) == 0
	}
	at, count, last := len(again), 0, uint16(0)
	ok = all.EachEvent(r.Rest(), func(which int, number uint16, b []byte) bool {
		if count++; count == 1 {
			again, last = AppendEvents(again, number), number
		}
		e := all.Events[which]
		value, slots := slices.Repeat([]byte{9}, e.Size), make([]uint16, len(e.Refs))
		e.Read(value, slots, b)
		again = e.Append(again, uint8(number-last), uint8(which), value, slots)
		last = number
		return e.Check(value, slots, known)
	})
	if ok {
		FinishEvents(again[at:], count)
	}
	return h.Finish(again), ok
}

// Written datagrams are read unchanged.
func TestDatagramsRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	fit := 0
	for range 2000 {
		b := anything(r)
		again, ok := rewrite(b, func(mask uint32, slot uint16, row []uint32) {
			for p := range all.In(mask) {
				require.Equal(t, rowOf(slot)[p.At:][:p.Words], row[p.At:][:p.Words], p.Spec)
			}
		})
		if require.Equal(t, len(b) <= link.MaxDatagram, ok); ok {
			require.Equal(t, b, again)
			fit++
		}
		u := Up{uint8(r.Uint32()), r.Uint64(), uint16(r.Uint32()), r.Uint32(), r.Uint32(), uint16(r.Uint32()), 3}
		up, inputs, ok := ReadUp(Seal(append(u.Append(nil), 1, 2, 3)))
		require.True(t, ok)
		require.Equal(t, u, up)
		require.Equal(t, []byte{1, 2, 3}, inputs)
	}
	require.Greater(t, fit, 1000)
}

// Whatever bytes are read say the same when they were written again; no bytes cause a panic.
func FuzzDatagrams(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		f.Add(anything(r))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		ReadUp(b)
		if len(b) >= HeadSize {
			b = Seal(slices.Clone(b))
		}
		ignore := func(uint32, uint16, []uint32) {}
		if again, ok := rewrite(b, ignore); ok {
			twice, ok := rewrite(again, ignore)
			require.True(t, ok)
			require.Equal(t, again, twice)
		}
	})
}

// Values that no world has, and columns that are cut or too long, are refused.
func TestForgedValuesAreRefused(t *testing.T) {
	r := NewReader(all, known)
	check := func(part int, b []byte) bool {
		g := Group{Mask: 1 << part, Flags: Own, Slots: []uint16{3}}
		r.Begin(append(g.Append(nil), b...), false)
		require.True(t, r.Next())
		return r.CheckColumns() && len(r.Rest()) == 0
	}
	require.True(t, check(7, []byte{3, 0, 'a', 0xc3, 0xa9}))
	for name, forged := range map[string]struct {
		part  int
		bytes []byte
	}{
		"a kind that is none":       {0, []byte{4}},
		"a bool of 2":               {1, []byte{0, 2, 0}},
		"half a value":              {1, []byte{0}},
		"a slot beyond":             {6, le.AppendUint16(nil, known+1)},
		"a text that is longer":     {7, append(le.AppendUint16(nil, 401), make([]byte, 401)...)},
		"a text that is cut":        {7, []byte{2, 0, 'a'}},
		"a text and more":           {7, []byte{1, 0, 'a', 'b'}},
		"a text without its length": {7, []byte{1}},
		"no UTF-8":                  {7, []byte{2, 0, 'a', 0xff}},
		"half a character":          {7, []byte{1, 0, 0xc3}},
		"half an element":           {8, []byte{1, 1}},
		"too many elements":         {9, []byte{4, 0, 0, 0, 0}},
		"no element":                {9, []byte{2, 1, 2}},
	} {
		require.False(t, check(forged.part, forged.bytes), name)
	}
	g := Group{Mask: all.Visible(false), Flags: Enter | Keys, Slots: []uint16{3}}
	r.Begin(slices.Clip(append(g.Append(nil), 1, 2)), false)
	require.False(t, r.Next(), "half a key")
}

// Events are refused that are cut, of no type, of no slot, or of no value; and so are none.
func TestForgedEventsAreRefused(t *testing.T) {
	value := make([]byte, 24)
	value[8] = 1 // loud
	good := all.Events[0].Append(AppendEvents(nil, 7), 0, 0, value, []uint16{1, 2})
	good = all.Events[1].Append(good, 1, 1, value[:8], nil)
	FinishEvents(good, 2)
	numbers := []uint16(nil)
	check := func(b []byte) bool {
		numbers = nil
		return all.EachEvent(b, func(which int, number uint16, b []byte) bool {
			numbers = append(numbers, number)
			e := all.Events[which]
			value, slots := make([]byte, e.Size), make([]uint16, len(e.Refs))
			e.Read(value, slots, b)
			return e.Check(value, slots, 9)
		})
	}
	require.True(t, check(good))
	require.Equal(t, []uint16{7, 8}, numbers)
	require.Equal(t, 1, all.Events[0].About, "the second reference")
	for name, forge := range map[string]func(b []byte) []byte{
		"nothing":             func([]byte) []byte { return nil },
		"an event is missing": func(b []byte) []byte { return b[:len(b)-10] },
		"cut":                 func(b []byte) []byte { return b[:len(b)-1] },
		"more":                func(b []byte) []byte { return append(b, 0) },
		"none":                func(b []byte) []byte { b[2] = 0; return b[:3] },
		"the same number":     func(b []byte) []byte { b[17] = 0; return b },
		"an unknown type":     func(b []byte) []byte { b[4] = 2; return b },
		"a slot beyond":       func(b []byte) []byte { b[5] = 10; return b },
		"a bool of 2":         func(b []byte) []byte { b[7] = 2; return b },
	} {
		require.False(t, check(forge(slices.Clone(good))), name)
	}
}

// Decoded values differ from the encoded ones by at most half a step.
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
