package replica

import (
	"encoding/binary"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/replica/internal/wire"
)

// A mirror applies each datagram once, and acknowledges the last one and the received ones of the
// 32 before it.
func TestMirrorsRememberWhatCame(t *testing.T) {
	a := newArena(t, 20, 1, Options{}, link.Conditions{})
	c := a.clients[0]
	a.ticks(2)
	c.s = world.Must(c.m.Apply(c.s, c.latest))
	require.Equal(t, 1, c.m.Late())

	m := NewMirror(c.s, seen, 8, Show{})
	for _, came := range []struct {
		sequence, last uint16
		before         uint32
	}{
		{5, 5, 0},
		{37, 37, 1 << 31},
		{38, 38, 1},
		{38, 38, 1},
		{12, 38, 1},
		{40, 40, 0b110},
		{73, 73, 0},
		{74, 74, 1},
	} {
		m.acks.add(came.sequence)
		require.Equal(t, came.last, m.acks.last)
		require.Equal(t, came.before, m.acks.before, "after %d", came.sequence)
	}
}

// A forgedGroup is a group as a lying server may send it.
type forgedGroup struct {
	flags  byte
	mask   uint64
	steps  []uint64
	values int // bytes
	bytes  []byte
}

// forge makes a datagram of tick, with differences from age ticks before.
func forge(tick uint32, age byte, groups ...forgedGroup) []byte {
	b := le.AppendUint32(make([]byte, 4), tick)
	b = append(le.AppendUint16(b, uint16(tick)), 0, 0, age, 0, 0, byte(len(groups)))
	for _, g := range groups {
		b = binary.AppendUvarint(append(b, g.flags), g.mask)
		b = binary.AppendUvarint(b, uint64(len(g.steps)))
		for _, s := range g.steps {
			b = binary.AppendUvarint(b, s)
		}
		b = append(append(b, g.bytes...), make([]byte, g.values)...)
	}
	return wire.Seal(b)
}

// widthOf is the number of bytes of the parts of a mask.
func widthOf(mask uint32) (n int) {
	for i := range seen.parts {
		if mask>>i&1 != 0 {
			n += seen.parts[i].Size(0)
		}
	}
	return n
}

// forgeHit makes a datagram with an event about an object in a slot.
func forgeHit(tick uint32, slot uint16) []byte {
	h, e := wire.Head{Tick: tick, Flags: wire.HasEvents}, seen.messages[0]
	b := wire.AppendEvents(wire.Begin(nil), 1)
	wire.FinishEvents(b[wire.HeadSize:], 1)
	return h.Finish(e.Append(b, 0, 0, make([]byte, e.Size), []uint16{slot + 1, 0}))
}

// A mirror takes groups of slots that it has, each once, with what their object may have, and
// refuses all others without a change.
func TestForgedSlotsAreRefused(t *testing.T) {
	s := world.Must(world.CreateState(seen.Counts(8)))
	defer func() { world.Close(s) }()
	m := NewMirror(s, seen, 8, Show{})
	others, owners := uint64(seen.wire.Visible(false)), uint64(seen.wire.Visible(true))
	all, own := widthOf(uint32(others)), widthOf(uint32(owners))
	take := func(b []byte) {
		s = world.Must(m.Apply(s, b))
		require.NoError(t, tool.Verify(s))
	}
	enter := func(slots ...uint64) forgedGroup {
		return forgedGroup{wire.Enter, others, slots, all * len(slots), nil}
	}
	take(forge(1, 0, enter(0, 2), forgedGroup{wire.Enter | wire.Own, owners, []uint64{5}, own, nil}))
	require.Equal(t, 3, world.Len(s))
	require.Equal(t, "hp", seen.parts[5].Spec.String())
	hpBit, placeBit, aimBit := uint64(1)<<5, uint64(1)<<1, uint64(1)<<9
	require.True(t, seen.parts[9].Ref)
	update := func(slots ...uint64) forgedGroup {
		return forgedGroup{0, hpBit, slots, 2 * len(slots), nil}
	}
	for name, b := range map[string][]byte{
		"an event about a slot beyond":       forgeHit(2, 8),
		"a slot beyond those that are known": forge(2, 0, enter(8)),
		"steps beyond them":                  forge(2, 0, enter(7, 1)),
		"a huge step":                        forge(2, 0, enter(3, 1<<40)),
		"a slot twice in a group":            forge(2, 0, update(2, 0)),
		"a slot in two groups":               forge(2, 0, update(2), forgedGroup{wire.Leave, 0, []uint64{2}, 0, nil}),
		"an update of nobody":                forge(2, 0, update(3)),
		"an update of an own one for others": forge(2, 0, update(5)),
		"an own update of another's":         forge(2, 0, forgedGroup{wire.Own, hpBit, []uint64{2}, 2, nil}),
		"an own one enters for others":       forge(2, 0, enter(5)),
		"another's enters as own":            forge(2, 0, forgedGroup{wire.Enter | wire.Own, owners, []uint64{2}, own, nil}),
		"a part for owners":                  forge(2, 0, forgedGroup{0, owners &^ others, []uint64{2}, widthOf(uint32(owners &^ others)), nil}),
		"a part that is none":                forge(2, 0, forgedGroup{0, 1 << 20, []uint64{2}, 9, nil}),
		"an enter without all parts":         forge(2, 0, forgedGroup{wire.Enter, hpBit, []uint64{3}, 2, nil}),
		"an enter with differences":          forge(2, 1, forgedGroup{wire.Enter | wire.Small, others, []uint64{2}, all, nil}),
		"a leave with parts":                 forge(2, 0, forgedGroup{wire.Leave, hpBit, []uint64{2}, 2, nil}),
		"a leave that enters":                forge(2, 0, forgedGroup{wire.Leave | wire.Enter, others, []uint64{2}, all, nil}),
		"a leave of an own one":              forge(2, 0, forgedGroup{wire.Leave | wire.Own, 0, []uint64{5}, 0, nil}),
		"differences from another tick":      forge(18, 1, forgedGroup{wire.Small, placeBit, []uint64{2}, 2, nil}),
		"keys without an enter":              forge(2, 0, forgedGroup{wire.Keys, hpBit, []uint64{2}, 5, nil}),
		"unknown flags":                      forge(2, 0, forgedGroup{32, hpBit, []uint64{2}, 2, nil}),
		"differences from no tick":           forge(2, 0, forgedGroup{wire.Small, placeBit, []uint64{2}, 2, nil}),
		"differences from before":            forge(9, 7, forgedGroup{wire.Small, placeBit, []uint64{2}, 2, nil}),
		"differences from too long ago":      forge(17, 16, forgedGroup{wire.Small, placeBit, []uint64{2}, 2, nil}),
		"too few values":                     forge(2, 0, forgedGroup{0, hpBit, []uint64{2}, 1, nil}),
		"too many values":                    forge(2, 0, forgedGroup{0, hpBit, []uint64{2}, 3, nil}),
		"no group":                           append(forge(2, 0)[:15], 1),
	} {
		digest := world.Digest(s)
		next, err := m.Apply(s, wire.Seal(b))
		require.ErrorIs(t, err, ErrDamaged, name)
		require.Equal(t, digest, world.Digest(next), name)
		require.EqualValues(t, 1, m.Tick(), name)
	}
	_, err := NewMirror(s, seen, 8, Show{}).Apply(s, forge(0, 0))
	require.ErrorIs(t, err, ErrDamaged, "tick 0")
	take(forge(2, 1, update(2), forgedGroup{wire.Small, placeBit, []uint64{0}, 2, nil},
		forgedGroup{wire.Own, aimBit, []uint64{5}, 0, []byte{8, 0}}))
	take(forge(3, 0, forgedGroup{wire.Enter | wire.Keys, others, []uint64{3}, all + wire.KeySize, nil}))
	take(forge(4, 0, forgedGroup{wire.Leave, 0, []uint64{0, 2}, 0, nil}))
	take(forgeHit(5, 7))
	require.Equal(t, 2, world.Len(s))
}

var (
	locked = layout.NewComponent[bool]("locked")
	door   = world.NewRecipe("door", locked)
)

const tickTime = 50 * time.Millisecond

// After a pause, a client goes on with one tick, and does not catch up.
func TestPausesAreNotCaughtUpWith(t *testing.T) {
	a := newArena(t, 20, 1, Options{}, link.Conditions{})
	m := a.clients[0].m
	due := func(now time.Duration) (n int) {
		for m.Due(now) {
			n++
		}
		return n
	}
	require.Equal(t, 1, due(0))
	require.InDelta(t, 3, due(3*tickTime), 1)
	require.Equal(t, 1, due(time.Minute))
}

// The shown state follows the received data, is never ahead of it, and goes neither back nor far
// behind.
func TestShownFollowsWhatCame(t *testing.T) {
	a := newArena(t, 20, 1, Options{}, link.Conditions{})
	c := a.clients[0]
	a.ticks(2)
	m, now := c.m, time.Duration(0)
	behind := func() float64 { return float64(m.base) - m.clock.shown }
	present := func(after time.Duration) {
		now += after
		c.s = m.Present(c.s, now)
		require.GreaterOrEqual(t, behind(), 0.)
	}
	present(0)
	for range 300 { // the server is 5 % faster than it says
		m.base++
		present(tickTime * 100 / 105)
		require.Less(t, behind(), 4., "and nothing jumps")
	}
	require.InDelta(t, 2, behind(), 1)
	was := m.clock.shown
	present(-time.Second)
	require.GreaterOrEqual(t, m.clock.shown, was)
	for range 20 { // nothing comes
		present(tickTime)
	}
	require.Less(t, behind(), 1.)
	m.base += 1000
	present(tickTime)
	require.InDelta(t, 2, behind(), 0.01, "a jump")
}

// Predictions are shown until the next step, whatever arrived since the last one, and steps are
// repeated if something arrived.
func TestPredictionsStayUntilTheNextStep(t *testing.T) {
	h := newShooting(t, link.Conditions{Delay: 2})
	for tick := range 40 {
		h.tick(tick, 0)
	}
	predicted := func() vec { return world.Must(world.Get(h.c.s, h.c.seat(h.c.own), place)) }
	again, was := h.p.Again(), predicted()
	h.c.s = h.p.Step(h.c.s, []byte{0})
	require.Equal(t, again, h.p.Again(), "no news")
	require.NotEqual(t, was, predicted())
	was = predicted()
	h.s = world.Advance(h.s)
	h.serve()
	for range 3 {
		h.network.Step()
		h.c.take()
	}
	require.True(t, h.c.m.updated)
	h.c.s = h.c.m.Present(h.c.s, 41*tickTime)
	require.Equal(t, was, predicted())
	h.p.step = func(s world.State, _ []byte) world.State {
		if h.p.number < h.p.next-1 || h.p.repeats {
			var id world.GameObject
			s, id = h.p.Spawn(s)
			require.Equal(t, world.Nobody, id, "nothing new is spawned in a step that is taken again")
		}
		return s
	}
	h.c.s = h.p.Step(h.c.s, []byte{0})
	require.Greater(t, h.p.Again(), again)
	require.Empty(t, h.c.m.guesses)
}

// A datagram to the server has at most as many inputs as wait there, and as fit.
func TestInputsFitIntoADatagram(t *testing.T) {
	for _, size := range []int{0, 1, 200} {
		a := newArena(t, 20, 1, Options{Input: size}, link.Conditions{})
		c := a.clients[0]
		p := NewPredictor(c.m, size, func(s world.State, _ []byte) world.State { return s })
		for range 50 {
			c.s = p.Step(c.s, make([]byte, size))
		}
		b := c.m.Append(nil, p)
		require.LessOrEqual(t, len(b), link.MaxDatagram)
		require.EqualValues(t, min(waiting, (link.MaxDatagram-wire.UpSize)/max(size, 1)), b[wire.UpSize-1])
	}
}

// A field that is not smooth was what it was in the tick before.
func TestWasOfWhatIsNotSmooth(t *testing.T) {
	a := newArena(t, 20, 0, Options{}, link.Conditions{})
	a.server = NewServer(a.s, NewSchema(shownAs, Field(place, Fixed(0, size, 16).Delta())), a.options)
	c, id := a.server.Accept(nowhere{}), a.spawn(vec{0, 0})
	for tick := range 12 {
		a.s = world.Advance(a.s)
		a.s = world.Must(world.Set(a.s, id, place, vec{float32(10 * tick), 0}))
		a.send()
	}
	c.line.base = a.server.table.tick
	in := Input{Seen: Moment(c.line.base<<8 - 8<<8 + 128)}
	require.InDelta(t, 7.5, c.Back(in), 0)
	at, ok := Was(c, in, place, id)
	require.True(t, ok)
	require.InDelta(t, 30, at[0], 0.01)
}

// Corrections of angles turn the shorter way.
func TestCorrectionsTurnTheShorterWay(t *testing.T) {
	h := newShooting(t, link.Conditions{})
	for tick := range 20 {
		h.tick(tick, 0)
	}
	NewPredictor(h.c.m, 1, h.step, Soften(heading, pace, 1), Soften(place, softly, 1))
	require.False(t, h.c.m.soft.fields[1].turns)
	id := h.c.m.slots[0].id
	h.c.s = world.Must(world.Set(h.c.s, id, heading, -3.1))
	was := []float32{3.1}
	require.True(t, h.c.m.soft.fields[0].correction(h.c.s, id, was))
	require.InDelta(t, 6.2-2*math.Pi, was[0], 0.001)
}
