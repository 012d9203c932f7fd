package systems

import (
	"iter"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/manager"
)

// GameObject is the id of a game object (an entity elsewhere). The zero GameObject is nobody.
type GameObject = gameobject.ID

// CreateGameObject creates an object without components. Indexes start at 0; in a world without
// recipes they are consecutive. Disposed indexes are reused, the last disposed first, or the first
// disposed first with [Counts].InOrder. The error wraps [ErrTooMany] or [ErrWalking].
func CreateGameObject(s State) (State, GameObject, error) {
	j := s.use()
	if j.fixed() {
		return s, gameobject.Nobody, ErrWalking
	}
	id, err := j.Objects.Create()
	if err != nil {
		return s, gameobject.Nobody, j.Refuse(err, id)
	}
	return s.done(), id, nil
}

// DisposeGameObject disposes objects with all their components and marks. If one of them is dead,
// it disposes none. An id that is given twice counts once. The error wraps [ErrDead],
// [ErrOutOfRange] or [ErrWalking].
func DisposeGameObject(s State, ids ...GameObject) (State, error) {
	if len(ids) != 1 {
		return disposeSeveral(s, ids)
	}
	j := s.use()
	if j.fixed() {
		return s, ErrWalking
	}
	if err := j.alive(ids[0]); err != nil {
		return s, err
	}
	j.dispose(ids[0].Index())
	return s.done(), nil
}

// Alive reports whether id names a live object of this world.
func Alive(s State, id GameObject) bool { return s.look().Objects.Alive(id) }

// Live returns the number of live objects.
func Live(s State) int { return s.look().Objects.Live() }

// GameObjects yields every live object, ascending by index.
func GameObjects(s State) iter.Seq[GameObject] {
	return func(yield func(GameObject) bool) { s.look().Objects.Each(yield) }
}

// Tick returns the number of the current step. Writes are stamped with it.
func Tick(s State) uint64 { return *s.look().Tick }

// MaxTick is the last tick. A world stays at it.
const MaxTick = manager.MaxTick

// Advance starts the next step. [Query.Since] with the tick of a step finds what was written after
// that step.
func Advance(s State) State {
	j := s.use()
	j.outside("the next step is begun in a task; begin it before the tasks or after them")
	*j.Tick = min(*j.Tick+1, MaxTick)
	return s.done()
}
