package manager

import "github.com/flatecs/flatecs/layout"

func sizesOf(kind layout.Kind, rows, objects int) Sizes {
	return Sizes{Objects: objects, Kinds: []layout.Count{kind.Count(rows)}}
}

// New returns the manager of a world of one kind, all of whose objects are alive.
func New(kind layout.Kind, rows, objects int) (*Manager, error) {
	a, err := NewArena(sizesOf(kind, rows, objects))
	return liveIn(a), err
}

// NewIn is New in bytes that are handed in.
func NewIn(b []byte, kind layout.Kind, rows, objects int) (*Manager, error) {
	a, err := ArenaIn(sizesOf(kind, rows, objects), b)
	return liveIn(a), err
}

// View returns the manager of such a world over its bytes, which it leaves as they are.
func View(b []byte, kind layout.Kind, rows, objects int) (*Manager, error) {
	a, err := ArenaOver(sizesOf(kind, rows, objects), b)
	if err != nil {
		return nil, err
	}
	return &a.Managers[0], nil
}

// Size returns the number of bytes of such a world.
func Size(kind layout.Kind, rows, objects int) (int, error) {
	_, size, _, err := measured(sizesOf(kind, rows, objects))
	return size, err
}

func liveIn(a *Arena) *Manager {
	if a == nil {
		return nil
	}
	for range a.Objects.Cap() {
		_, _ = a.Objects.Create(0)
	}
	return &a.Managers[0]
}

var (
	weight    = layout.NewField("weight", [2]float32{3, 4})
	team      = layout.NewField[uint8]("team", 7)
	modelKind = layout.NewKind("model", weight, team)
	modelMark = layout.NewMark("modelMark")
)

// sure returns v of a call that has to succeed.
func sure[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
