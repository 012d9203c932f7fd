package systems

import (
	"fmt"

	"github.com/flatecs/flatecs/layout/mask"
	"github.com/flatecs/flatecs/manager"
)

// What package tool says of worlds, for tests within this package, which may not import it.

func managed(s State, k Kind) *manager.Manager { return s.look().Manager(k.Spec()) }

func objectAt(s State, index uint32) (GameObject, error) {
	id := ArenaOf(s).Objects.At(index)
	return id, ArenaOf(s).Living(id)
}

func kindNamesOf(s State, id GameObject) (names []string, err error) {
	mask, err := maskOf(s, id)
	for n := range mask.All() {
		names = append(names, ArenaOf(s).Managers[n].Kind.Name)
	}
	return names, err
}

func maskOf(s State, id GameObject) (mask mask.Mask, err error) {
	err = ArenaOf(s).Mask(&mask, id)
	return mask, err
}

func settled(s State) error {
	if n := ArenaOf(s).Unapplied(); n != 0 {
		return fmt.Errorf("%d commands are recorded", n)
	}
	if ArenaOf(s).Walking() {
		return ErrWalking
	}
	return nil
}

func firstDifference(a, b State) (_ manager.Difference, differ bool, err error) {
	x, y := ArenaOf(a), ArenaOf(b)
	if !x.Like(y.Arena) {
		return manager.Difference{}, false, ErrOther
	}
	d, differ := x.FirstDifference(y.Arena)
	return d, differ, nil
}

// addSome is Add of a list of kinds.
func addSome(s State, id GameObject, kinds ...Kind) (State, error) {
	s, _, err := Add(s, id, kinds[0], kinds[1:]...)
	return s, err
}
