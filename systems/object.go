package systems

import (
	"iter"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/structure"
)

// GameObject names a game object (an entity elsewhere). The zero GameObject is nobody.
type GameObject = gameobject.ID

// CreateGameObject creates an object without components. Indexes are handed out from 0 on, in a
// world without recipes one after the other, and again after they were disposed: the last disposed
// first, or the first with [Counts].InOrder. The error wraps
// [ErrTooMany] or [ErrWalking].
func CreateGameObject(s State) (State, GameObject, error) {
	j := s.use()
	if j.fixed() {
		return s, gameobject.Nobody, ErrWalking
	}
	id, err := structure.Create(j.Arena)
	if err != nil {
		return s, gameobject.Nobody, err
	}
	return s.done(), id, nil
}

// DisposeGameObject disposes objects, with every component and mark that they have, or none of them
// when one is dead. One that is given twice is disposed once. The error wraps [ErrDead],
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
	structure.Dispose(j.Arena, ids[0].Index())
	return s.done(), nil
}

// Alive reports whether id names a live object of this world.
func Alive(s State, id GameObject) bool { return s.look().Objects.Alive(id) }

// Live returns how many objects are alive.
func Live(s State) int { return s.look().Objects.Live() }

// GameObjects yields every live object, ascending by index.
func GameObjects(s State) iter.Seq[GameObject] {
	return func(yield func(GameObject) bool) { s.look().Objects.Each(yield) }
}

// Tick returns the number of the step that is under way: what is written now is stamped with it.
func Tick(s State) uint64 { return *s.look().Tick }

// MaxTick is the last tick: a world that has come to it stays there.
const MaxTick = manager.MaxTick

// Advance begins the next step. A later walk by [Query.Since] with the tick of a step finds what
// was written after that step.
func Advance(s State) State {
	j := s.use()
	j.outside("the next step is begun in a task; begin it before the tasks or after them")
	*j.Tick = min(*j.Tick+1, MaxTick)
	return s.done()
}
