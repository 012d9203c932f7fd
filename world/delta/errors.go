package delta

import "errors"

var (
	// ErrBase is the error of a delta that is from another world than the one at hand.
	ErrBase = errors.New("delta: it is from another base; apply it to the world that it is from")

	// ErrDamaged is the error of bytes that are no delta, or not any more, or lead nowhere.
	ErrDamaged = errors.New("delta: it is damaged; get it anew")
)
