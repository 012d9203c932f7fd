package systems

import (
	"iter"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/manager"
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
	id, err := j.Objects.Create()
	if err != nil {
		return s, gameobject.Nobody, j.Refuse(err, id)
	}
	return s.done(), id, nil
}

// DisposeGameObject disposes an object and every component and mark that it has. The error wraps
// [ErrDead], [ErrOutOfRange] or [ErrWalking].
func DisposeGameObject(s State, id GameObject) (State, error) {
	j := s.use()
	if j.fixed() {
		return s, ErrWalking
	}
	if err := j.alive(id); err != nil {
		return s, err
	}
	j.dispose(id.Index())
	return s.done(), nil
}

// Alive reports whether id names a live object of this world.
func Alive(s State, id GameObject) bool { return s.look().Objects.Alive(id) }

// Live returns how many objects are alive.
func Live(s State) int { return s.look().Objects.Live() }

// MaxUID returns how many indexes were ever used, up to the highest: in a world without recipes the
// index of the next new object.
func MaxUID(s State) int { return s.look().Objects.High() }

// GameObjects yields every live object, ascending by index.
func GameObjects(s State) iter.Seq[GameObject] {
	return func(yield func(GameObject) bool) { s.look().Objects.Each(yield) }
}

// GameObjectAt returns the live object at an index, or an error that wraps [ErrDead] or
// [ErrOutOfRange].
func GameObjectAt(s State, index uint32) (GameObject, error) {
	j := s.look()
	if int64(index) >= int64(j.Objects.Cap()) {
		return gameobject.Nobody, j.refuse(gameobject.MakeID(index, 1))
	}
	id := j.Objects.At(index)
	if !j.Objects.Alive(id) { // its generation is that of the next one
		last := max(id.Generation(), 2) - 1
		return gameobject.Nobody, j.refuse(gameobject.MakeID(index, last))
	}
	return id, nil
}

// ParseGameObject returns the object that an id's text names, as %v prints it: "7", from the second
// generation on "7v3", or "nobody". The error wraps [strconv.ErrSyntax] or [strconv.ErrRange].
func ParseGameObject(text string) (GameObject, error) { return gameobject.ParseID(text) }

// KindsOf returns the names of the kinds that an object has, in the order of the world's counts. It
// is meant for tools: it allocates.
func KindsOf(s State, id GameObject) ([]string, error) {
	j := s.look()
	if err := j.alive(id); err != nil {
		return nil, err
	}
	var names []string
	j.eachKind(id.Index(), func(m *manager.Manager) { names = append(names, m.Kind.Name) })
	return names, nil
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
