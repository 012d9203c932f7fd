package delta

import "errors"

var (
	// ErrBase is the error of a delta for another world.
	ErrBase = errors.New("delta: made for another world; apply it to the one that it was made for")

	// ErrDamaged is the error of bytes that are not a valid delta.
	ErrDamaged = errors.New("delta: damaged; send it again")
)
