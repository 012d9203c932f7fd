package systems

import "fmt"

// Must returns what a call returned beside its error, or panics around the error. It is for the
// start of a program, and for what cannot fail by the counts:
//
//	state := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(Position, Velocity)}))
func Must[T any](value T, err error) T {
	if err != nil {
		panic(fmt.Errorf("systems: Must: %w; where that can happen, take the error instead", err))
	}
	return value
}
