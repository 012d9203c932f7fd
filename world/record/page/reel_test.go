package page

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/record"
)

// TestEditsArePlayedAgain: after going back before an edit, the edit is repeated, even where the
// world was resized.
func TestEditsArePlayedAgain(t *testing.T) {
	gold := layout.NewComponent[int32]("edited gold")
	counts := world.Counts{GameObjects: 20, Kinds: layout.Kinds(gold)}
	step := func(s world.State, _ []byte) world.State { return world.Advance(s) }
	s, id := world.Must2(world.CreateWith(world.Must(world.CreateState(counts)), gold))
	var file bytes.Buffer
	rec := world.Must(record.New(&file, s, record.Options{}))
	for frame := range 10 {
		if frame == 4 || frame == 9 {
			s = world.Must(world.Set(s, id, gold, int32(frame)))
			rec.Changed()
		}
		if frame == 6 {
			s = world.Must(world.Resized(s, world.Counts{GameObjects: 40, Kinds: layout.Kinds(gold)}))
		}
		s = world.Must(rec.Step(s, nil, step))
	}
	require.NoError(t, rec.Close())
	f := world.Must(record.ReadFrom(bytes.NewReader(file.Bytes()), int64(file.Len())))
	past := world.Must(f.Timeline(counts, step, record.Options{}))
	defer past.Close()
	for from := range 10 {
		r := &reel{past, 10, 10}
		again := world.Must(r.Rollback(world.Must(world.Clone(s)), from))
		for r.at < r.end {
			again = world.Must(r.next(again, step, bytes.Clone))
		}
		require.True(t, world.Equal(s, again), from)
		world.Close(again)
	}
	world.Close(s)
}

// TestKindsThatComeByAResize: frames before and after it open in any order.
func TestKindsThatComeByAResize(t *testing.T) {
	gold, silver := layout.NewComponent[int32]("first gold"), layout.NewComponent[int32]("late silver")
	counts := world.Counts{GameObjects: 20, Kinds: layout.Kinds(gold)}
	step := func(s world.State, _ []byte) world.State { return world.Advance(s) }
	s := world.Must(world.CreateState(counts))
	var file bytes.Buffer
	rec := world.Must(record.New(&file, s, record.Options{}))
	var digests []uint64
	for frame := range 10 {
		if frame == 5 {
			s = world.Must(world.Resized(s, world.Counts{GameObjects: 20, Kinds: layout.Kinds(gold, silver)}))
			s, _ = world.Must2(world.CreateWith(s, silver))
		}
		digests = append(digests, world.Digest(s))
		s = world.Must(rec.Step(s, nil, step))
	}
	require.NoError(t, rec.Close())
	f := world.Must(record.ReadFrom(bytes.NewReader(file.Bytes()), int64(file.Len())))
	past := world.Must(f.Timeline(counts, step, record.Options{}))
	defer past.Close()
	for _, frame := range []int{2, 7, 4, 8, 5, 0, 9} {
		require.Equal(t, digests[frame], world.Digest(world.Must(past.At(frame))), frame)
	}
	world.Close(s)
}
