package why_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/list"
	"github.com/flatecs/flatecs/world/schedule"
	"github.com/flatecs/flatecs/world/timeline"
	"github.com/flatecs/flatecs/world/why"
)

var (
	bag     = layout.NewList[uint16]("bag")
	packing = world.NewQuery(world.Write(bag))
)

// packers append to the first's list, write into all lists, and empty the second's.
func packers(first, second *world.GameObject) []schedule.Job {
	return []schedule.Job{
		{Name: "give", Do: func(s world.State) (world.State, error) {
			if n := uint16(world.Resource(s, dice)); n > 0 {
				return list.Append(s, *first, bag, n)
			}
			return s, nil
		}},
		{Name: "polish", Queries: []world.Query{packing}, Run: func(s world.State) world.State {
			more := uint16(100)
			if world.Resource(s, dice) != 0 {
				more = 0
			}
			for b := range packing.In(s) {
				lists := list.Column(b, bag)
				for i := range lists.Len() {
					for k := range lists.At(i) {
						lists.At(i)[k] += more
					}
				}
			}
			return s
		}},
		{Name: "last", Do: func(s world.State) (world.State, error) {
			if world.Resource(s, dice) == 9 {
				return list.Clear(s, *second, bag)
			}
			return s, nil
		}},
	}
}

// TestAWriteOfAnElementIsAWriteOfItsList asks who wrote lists: in place, in walks, by id.
func TestAWriteOfAnElementIsAWriteOfItsList(t *testing.T) {
	jobs := schedule.New(1)
	t.Cleanup(jobs.Close)
	var first, second world.GameObject
	require.NoError(t, jobs.Register(schedule.Pipeline{
		Name:   "day",
		Groups: []schedule.Group{{Name: "all", Elements: []string{"give", "polish", "last"}}},
		Jobs:   packers(&first, &second),
	}))
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 90, Kinds: layout.Kinds(bag), Resources: []world.ResourceKind{table},
	}))
	s, first = world.Must2(world.CreateWith(s, bag))
	s, second = world.Must2(world.CreateWith(s, bag))
	s = world.Must(list.Append(s, second, bag, 7))
	step := func(s world.State, input []byte) world.State {
		return world.Must(jobs.Run(world.SetResource(s, dice, input[0]), "day"))
	}
	past, err := timeline.New(s, timeline.Options{Step: step, InputBytes: 1, Frames: 100, Every: 4})
	require.NoError(t, err)
	t.Cleanup(past.Close)
	bags := [2][]uint16{{}, {7}} // the model
	var want [2][]string
	for frame, input := range []byte{1, 2, 0, 3, 9, 4, 4, 0, 0, 5} {
		require.NoError(t, past.Record(s, []byte{input}))
		s = step(s, []byte{input})
		wrote := func(of int, job string, now ...uint16) {
			want[of] = append(want[of], fmt.Sprintf("frame %d, %s, %v → %v", frame, job, bags[of], now))
			bags[of] = now
		}
		if input != 0 {
			wrote(0, "give", append(slices.Clone(bags[0]), uint16(input))...)
		}
		for of := range bags {
			now := slices.Clone(bags[of])
			for i := range now {
				if input == 0 {
					now[i] += 100
				}
			}
			wrote(of, "polish", now...)
		}
		if input == 9 {
			wrote(1, "last", []uint16{}...)
		}
	}
	p := why.Past{Timeline: past, Jobs: jobs}
	for of, id := range []world.GameObject{first, second} {
		var got []string
		before := uint64(why.Now)
		for range want[of] {
			w, err := p.Wrote(id, bag, before)
			require.NoError(t, err)
			got = append(got, fmt.Sprintf("frame %d, %s, %s → %s", w.Frame, w.Job,
				tool.Text(bag.Spec(), w.Before), tool.Text(bag.Spec(), w.After)))
			before = w.Tick
		}
		slices.Reverse(got)
		assert.Equal(t, want[of], got)
		_, err := p.Wrote(id, bag, before)
		require.ErrorIs(t, err, why.ErrUnwritten)
	}
}

// TestAnEmptyListIsWrittenByItsCreation: and by its end, as the field beside it is.
func TestAnEmptyListIsWrittenByItsCreation(t *testing.T) {
	gold := layout.NewComponent[uint16]("gold")
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 8, Kinds: layout.Kinds(bag, gold),
	}))
	var id world.GameObject
	step := func(s world.State, _ []byte) world.State {
		s = world.Advance(s)
		switch world.Tick(s) {
		case 3:
			s, id = world.Must2(world.CreateWith(s, bag, gold))
		case 5:
			s = world.Must(world.Remove(world.Must(world.Remove(s, id, bag)), id, gold))
		case 7:
			s = world.Must(world.Add(world.Must(world.Add(s, id, bag)), id, gold))
		}
		return s
	}
	past, err := timeline.New(s, timeline.Options{Step: step, Frames: 100, Every: 4})
	require.NoError(t, err)
	t.Cleanup(past.Close)
	for range 10 {
		require.NoError(t, past.Record(s, nil))
		s = step(s, nil)
	}
	writes := func(f layout.AnyField) (all []string) {
		for before := uint64(why.Now); ; {
			w, err := why.Past{Timeline: past}.Wrote(id, f, before)
			if err != nil {
				require.ErrorIs(t, err, why.ErrUnwritten)
				return all
			}
			before = w.Tick
			all = append(all, fmt.Sprint(w.Tick, w.Before == nil, w.After == nil))
		}
	}
	assert.Equal(t, writes(gold), writes(bag))
	assert.Len(t, writes(bag), 3)
}
