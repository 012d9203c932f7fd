package systems

import (
	"fmt"

	"github.com/flatecs/flatecs/layout/mask"
	"github.com/flatecs/flatecs/manager"
)

// The parts of package tool that tests within this package need, because they cannot import it.

func managed(s State, k Kind) *manager.Manager { return s.look().world.kinds.Manager(k.Spec()) }

func objectAt(s State, index uint32) (GameObject, error) {
	id := ArenaOf(s).Objects.At(index)
	return id, ToolsOf(s).Living(id)
}

func kindNamesOf(s State, id GameObject) (names []string, err error) {
	mask, err := maskOf(s, id)
	for n := range mask.All() {
		names = append(names, ArenaOf(s).Managers[n].Kind.Name)
	}
	return names, err
}

func maskOf(s State, id GameObject) (mask mask.Mask, err error) {
	if err := ToolsOf(s).Living(id); err != nil {
		return nil, err
	}
	for m := range ArenaOf(s).AmongNear(id.Index()) {
		if m.Has(id.Index()) {
			mask.Set(ArenaOf(s).Slot(m.Kind))
		}
	}
	return mask, nil
}

func settled(s State) error {
	if n := ToolsOf(s).Unapplied(); n != 0 {
		return fmt.Errorf("%d commands are recorded", n)
	}
	if ToolsOf(s).Walking() {
		return ErrWalking
	}
	return nil
}

func firstDifference(a, b State) (_ manager.Difference, differ bool, err error) {
	x, y := ArenaOf(a), ArenaOf(b)
	if !x.Like(y) {
		return manager.Difference{}, false, ErrOther
	}
	d, differ := x.FirstDifference(y)
	return d, differ, nil
}

// addSome is Add of a list of kinds.
func addSome(s State, id GameObject, kinds ...Kind) (State, error) {
	return Add(s, id, kinds[0], kindList(kinds[1:])...)
}

// sure returns v of a call that has to succeed.
func sure[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// made returns what a call makes that has to succeed.
func made[T any](s State, v T, err error) (State, T) { return sure(s, err), v }

// changed returns the State, without the created value.
func changed[T any](s State, _ T, err error) State { return sure(s, err) }

// taken returns a snapshot of a world.
func taken(s State) *Snapshot { return take(sure(NewSnapshot(s)), s) }

// take takes a snapshot again.
func take(p *Snapshot, s State) *Snapshot {
	if err := p.Take(s); err != nil {
		panic(err)
	}
	return p
}
