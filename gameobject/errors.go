package gameobject

import "errors"

// Errors of this package. The layers above add the object, the counts and the fix.
//
//nolint:revive,staticcheck // two are sentences, as users of other libraries know them
var (
	ErrTooMany    = errors.New("Too many entities in existence.")
	ErrOutOfRange = errors.New("Entity out of range.")
	ErrDead       = errors.New("the game object is not alive")
)
