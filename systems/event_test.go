package systems

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

// hit sends a hit whose fields all follow from a number.
func hit(s State, n int) State {
	s, e := hits.Send(s)
	EventColumn(e, hitBy)[0] = uint64(n)
	EventColumn(e, hitAt)[0] = [2]float32{float32(n), -float32(n)}
	return s
}

// numbersOf returns the numbers of received hits, and checks that their fields agree.
func numbersOf(tb testing.TB, r Received) (numbers []int) {
	tb.Helper()
	for _, b := range r.Batches() {
		require.NotZero(tb, b.Len())
		by, at := EventColumn(b, hitBy), EventColumn(b, hitAt)
		require.Len(tb, by, b.Len())
		require.Len(tb, at, b.Len())
		for i, n := range by {
			require.Equal(tb, [2]float32{float32(n), -float32(n)}, at[i])
			numbers = append(numbers, int(n))
		}
	}
	require.Len(tb, numbers, r.Len())
	return numbers
}

// The model keeps everything that was ever sent.
func TestEventsAgainstModel(t *testing.T) {
	readers := []EventReader{hitScore, hitSound}
	for seed := range uint64(20) {
		room := int(seed/2) + 1
		count := hits.Count(room, readers...)
		s := sure(CreateState(Counts{Kinds: layout.Kinds(
			Position.Count(3),
		), Events: []EventCount{count}}))
		r := rand.New(rand.NewPCG(seed, 4))
		sent, done := 0, [2]int{}
		for step := range 500 {
			switch op := r.IntN(12); {
			case op < 8:
				s = hit(s, sent)
				sent++
			case op == 8:
				s = sure(Clone(s))
			default:
				who := r.IntN(len(readers))
				first := max(done[who], sent-room)
				var want []int
				for n := first; n < sent; n++ {
					want = append(want, n)
				}
				got, lost := readers[who].Unread(s)
				require.Equal(t, want, numbersOf(t, got))
				require.Equal(t, first-done[who], lost, "step %d", step)
				switch some := r.IntN(room + 2); op {
				case 9:
					s, got, lost = readers[who].Receive(s)
					require.Equal(t, want, numbersOf(t, got))
					require.Equal(t, first-done[who], lost, "step %d", step)
					done[who] = sent
				case 10: // a few, such as the one event of a step
					s, got, lost = readers[who].ReceiveN(s, some)
					some = min(some, len(want))
					require.Equal(t, append([]int(nil), want[:some]...), numbersOf(t, got))
					require.Equal(t, first-done[who], lost, "step %d", step)
					done[who] = first + some
				}
				require.NoError(t, ToolsOf(s).Verify())
			}
		}
	}
}

func TestEventMisuse(t *testing.T) {
	s, _ := fullWorld(t)
	panicsWith(t, func() { _, _, _ = hitNever.Receive(s) }, "this world has no reader never counted")
	s = hit(s, 1)
	_, got, _ := hitScore.Receive(s)
	b := got.Batches()[0]
	panicsWith(t, func() { EventColumn(b, gameSpeed) }, "speed is not of the events hits")
	panicsWith(t, func() { EventColumn(b, looseField) }, "is not of the events hits")

	for _, c := range []struct {
		count EventCount
		text  []string
	}{
		{EventCount{}, []string{"zero EventCount", "Events.Count"}},
		{hits.Count(1, EventReader{}), []string{"zero EventReader", "NewReader"}},
		{hits.Count(1, flapBird), []string{"bird reads flaps, not hits"}},
		{hits.Count(1, hitScore, hitSound, hitScore), []string{"hits has two readers score"}},
	} {
		counts := Counts{Events: []EventCount{c.count}}
		panicsWith(t, func() { _, _ = CreateState(counts) }, c.text...)
	}
	for _, room := range []int{0, -1, math.MaxInt32} {
		_, err := CreateState(Counts{Events: []EventCount{hits.Count(room)}})
		require.ErrorIs(t, err, ErrCount)
		require.ErrorContains(t, err, fmt.Sprint(room))
		require.ErrorContains(t, err, "hits")
	}
	_, err := CreateState(Counts{Events: []EventCount{hits.Count(1), hits.Count(1)}})
	require.ErrorIs(t, err, ErrKindTwice)
	assert.Equal(t, "hits", hits.String())
	assert.Equal(t, "score", hitScore.String())
}

func TestAllocsOfEvents(t *testing.T) {
	s, _ := fullWorld(t)
	sum, lost := uint64(0), 0
	assert.Zero(t, testing.AllocsPerRun(50, func() {
		for n := range 4 {
			s = hit(s, n)
		}
		var got Received
		var missed int
		s, got, missed = hitScore.Receive(s)
		lost += missed
		for _, b := range got.Batches() {
			for _, by := range EventColumn(b, hitBy) {
				sum += by
			}
		}
		_, _ = hitSound.Unread(s)
		s, _, _ = hitSound.ReceiveN(s, 3)
	}))
	assert.Equal(t, uint64(51*6), sum)
	assert.Zero(t, lost)
}

// TestKeepersAreForgotten: whoever keeps events is called with each that is overwritten, and the
// world forgets who does not ask for it again.
func TestKeepersAreForgotten(t *testing.T) {
	s, _ := fullWorld(t)
	n, room := 0, s.look().world.fixtures.ring(hits).rows.Rows.Cap()
	for range room {
		s, n = hit(s, n), n+1
	}
	var kept []uint64
	k := &EventKeeper{Keep: func(number uint64, e EventBatch) {
		assert.Equal(t, []uint64{number}, EventColumn(e, hitBy))
		kept = append(kept, number)
	}}
	for range 3 { // for as long as it asks
		KeepEvents(s, hits, k)
		for range keptTicks {
			s = Advance(s)
		}
		s, n = hit(s, n), n+1
		assert.Equal(t, uint64(n-room-1), kept[len(kept)-1])
	}
	assert.Len(t, kept, 3)
	s = hit(Advance(s), n)
	assert.Len(t, kept, 3)
	assert.Empty(t, s.look().world.fixtures.ring(hits).keepers, "forgotten with an event")

	KeepEvents(s, hits, k)
	for range keptTicks + 1 {
		s = Advance(s)
	}
	KeepEvents(s, hits, &EventKeeper{})
	assert.Len(t, s.look().world.fixtures.ring(hits).keepers, 1, "forgotten with another")
	whole(t, s)
}
