package delta

import "errors"

var (
	// ErrBase is the error of a delta that belongs to another world.
	ErrBase = errors.New("delta: it is from another base; apply it to the world that it is from")

	// ErrDamaged is the error of bytes that are not a valid delta.
	ErrDamaged = errors.New("delta: it is damaged; get it anew")
)
