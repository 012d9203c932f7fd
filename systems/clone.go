package systems

import (
	"fmt"
	"slices"

	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/kin"
)

// Clone returns a copy of the world and of its recorded commands; s is unchanged. What the values
// of a [layout.Values] kind point to is shared. The error wraps [ErrMemory] or [ErrWalking].
func Clone(s State) (State, error) { return clone(s, (*manager.Arena).Alike) }

// CloneIn is [Clone] in bytes that are handed in, as for [CreateStateIn].
func CloneIn(s State, b []byte) (State, error) {
	if err := s.look().counts.flat(); err != nil {
		return State{}, err
	}
	return clone(s, func(a *manager.Arena) (*manager.Arena, error) { return a.AlikeIn(b) })
}

func clone(s State, reserve func(*manager.Arena) (*manager.Arena, error)) (State, error) {
	from := s.look()
	if from.fixed() {
		return State{}, ErrWalking
	}
	arena, err := from.Clone(reserve)
	if err != nil {
		return State{}, err
	}
	j := newJob(arena)
	j.refurnish(&from.fixtures)
	j.copyWatchers(from.watchers)
	j.arrive(0)
	j.commands.CopyFrom(&from.commands)
	if j.kin, err = kin.New(arena); err == nil {
		j.Relations = j.kin
		err = j.addRecipes()
	}
	if err == nil {
		err = j.prepare()
	}
	if err != nil {
		j.kin.Free()
		arena.Free()
		return State{}, err
	}
	return newState(j), nil
}

// RestoreFrom is [Restore] of what another world is now, which is only read: several goroutines may
// restore worlds from one at once. The error wraps [ErrWalking], of either world, or [ErrOther];
// then the world is unchanged.
func RestoreFrom(s, from State) (State, error) {
	j, f := s.use(), from.look()
	switch {
	case j.fixed() || f.fixed():
		return s, ErrWalking
	case !j.Like(f.Arena) || !slices.Equal(j.counts.Recipes, f.counts.Recipes):
		return s, fmt.Errorf("flatecs: restore: %w; restore from such a world", ErrOther)
	}
	j.CopyFrom(f.Arena, 0)
	manager.CheckCopy(j.Arena, f.Arena)
	j.arrive(0)
	j.commands.CopyFrom(&f.commands)
	return s.reshaped(), nil
}
