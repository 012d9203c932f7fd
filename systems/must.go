package systems

// Must returns value, or panics with an error that wraps err if err is not nil. Use it at the start
// of a program, and for calls that cannot fail with the counts given:
//
//	state := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(Position, Velocity)}))
func Must[T any](value T, err error) T {
	if err != nil {
		panic(placed("Must", err, "; where that can happen, take the error instead"))
	}
	return value
}
