package lab_test

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/lab"
)

// Each world has equipment of its own, which is closed with it, and the table is the same.
func TestEquipmentIsOfOneWorld(t *testing.T) {
	sets := twoSets(t)
	sets[1].Walkers = 60 // other counts, so another world
	want := csv(t, sweep(sets...))
	for _, workers := range []int{1, 3} {
		var equipped, closed, steps atomic.Int64
		w := sweep(sets...)
		w.Workers, w.Step = workers, nil
		w.Equip = func(s world.State) (lab.Equipment, error) {
			equipped.Add(1)
			before, calls := world.Digest(s), 0 // of one goroutine: -race tells
			return lab.Equipment{
				Step: func(s world.State) (world.State, error) {
					if calls++; calls == 1 && world.Digest(s) == before {
						t.Error("Equip comes before Setup")
					}
					steps.Add(1)
					return step(s)
				},
				Close: func() { closed.Add(1) },
			}, nil
		}
		assert.Equal(t, want, csv(t, w), "%d workers", workers)
		assert.EqualValues(t, 2*5*20, steps.Load())
		assert.Equal(t, equipped.Load(), closed.Load())
		assert.GreaterOrEqual(t, equipped.Load(), int64(2))
		assert.LessOrEqual(t, equipped.Load(), int64(2*workers))
	}
}

// A run that failed leaves nothing behind: the next one has new equipment.
func TestEquipmentIsClosedAfterAFault(t *testing.T) {
	var equipped, closed int
	w := sweep(twoSets(t)...)
	w.Workers, w.Step = 1, nil
	w.Equip = func(s world.State) (lab.Equipment, error) {
		equipped++
		return lab.Equipment{
			Step: func(s world.State) (world.State, error) {
				if world.Resource(s, ruleField).Stride == 1 {
					return s, errTitle
				}
				return step(s)
			},
			Close: func() { closed++ },
		}, nil
	}
	var failed *lab.FailedError
	require.ErrorAs(t, w.Run(t.Context(), &lab.Table{}), &failed)
	assert.Len(t, failed.Failures, 5)
	assert.Equal(t, 1+4, equipped, "one for the first set, which the first that fails uses too")
	assert.Equal(t, equipped, closed)
}

func TestEquipmentThatCannotBeHad(t *testing.T) {
	for text, equip := range map[string]func(world.State) (lab.Equipment, error){
		errTitle.Error(): func(world.State) (lab.Equipment, error) {
			return lab.Equipment{Close: func() { t.Error("there is nothing to close") }}, errTitle
		},
		"Equip returned no Step": func(world.State) (lab.Equipment, error) { return lab.Equipment{}, nil },
		"panic: no tools":        func(world.State) (lab.Equipment, error) { panic("no tools") },
	} {
		w := sweep(twoSets(t)...)
		w.Step, w.Equip = nil, equip
		var failed *lab.FailedError
		require.ErrorAs(t, w.Run(t.Context(), &lab.Table{}), &failed)
		assert.Len(t, failed.Failures, 10)
		require.ErrorContains(t, failed.Failures[9].Err, "run 9")
		require.ErrorContains(t, failed.Failures[9].Err, text)
	}
}
