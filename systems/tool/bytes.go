package tool

import (
	"errors"
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems"
)

// ErrUnapplied is the error of commands that were recorded, and are not in the bytes yet.
var ErrUnapplied = errors.New("commands are recorded and not applied")

// A Part is a stretch of a world's bytes, with what it holds.
type Part = manager.Part

// A Difference is where two worlds part.
type Difference = manager.Difference

// Parts returns the stretches that the world's bytes are made of, in order: per kind its truth,
// which decides the future, before what follows from it. [Used] is how much of one is in use. They
// are the world's own: leave them as they are.
func Parts(s systems.State) []Part { return systems.ArenaOf(s).Parts() }

// Used returns the bytes of one of the world's parts that were ever used, in place. Behind them are
// zeros, in a column of a counted kind the defaults.
func Used(s systems.State, p *Part) []byte {
	a := systems.ArenaOf(s)
	if p == nil {
		panic("flatecs: a nil *Part is no part of a world; give one of Parts")
	}
	return a.Used(p)
}

// Text returns one value of a field in words: its lanes, in brackets when there are more than one,
// or its parts by name, in braces. The value is the field's Stride bytes.
func Text(f *layout.FieldSpec, value []byte) string {
	if f == nil || len(f.Parts) == 0 {
		panic("flatecs: there is no field to tell the text of; give the Spec of one")
	}
	if len(value) != f.Stride {
		panic(fmt.Sprintf("flatecs: a value of %s has %d bytes, not %d; give one row of its column",
			f, f.Stride, len(value)))
	}
	return manager.Text(f, value)
}

// Walking reports whether the world has to stand still by now: in a walk, and in a task.
func Walking(s systems.State) bool { return systems.ArenaOf(s).Walking() }

// Settled returns nil when a world's bytes are all that there is of it: no walk is open, which may
// hold rows aside, and no commands are recorded that were not applied. The error wraps
// [systems.ErrWalking] or [ErrUnapplied].
func Settled(s systems.State) error {
	a := systems.ArenaOf(s)
	if a.Walking() {
		return systems.ErrWalking
	}
	if n := a.Unapplied(); n != 0 {
		return fmt.Errorf("flatecs: %d %w; call Apply first", n, ErrUnapplied)
	}
	return nil
}

// Verify checks everything that the world's bytes say twice, such as who has a component and which
// rows are free, and returns an error that names the first place where it differs. It is slow and
// allocates: for tests, tools and loaded bytes.
func Verify(s systems.State) error { return systems.ArenaOf(s).Verify() }

// FirstDifference returns where two worlds of the same counts part, and whether they do: in which
// objects live, in who has which kind, in the values of a field, objects ascending; and last in
// what only decides the future, such as free lists and ticks. Worlds that are [systems.Equal] do
// not differ. The error wraps [systems.ErrOther].
func FirstDifference(a, b systems.State) (_ Difference, differ bool, err error) {
	x, y := systems.ArenaOf(a), systems.ArenaOf(b)
	if !x.Like(y.Arena) {
		return Difference{}, false, fmt.Errorf("flatecs: compare: %w; Resized brings one to those "+
			"of the other", systems.ErrOther)
	}
	d, differ := x.FirstDifference(y.Arena)
	return d, differ, nil
}
