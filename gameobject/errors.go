package gameobject

import "errors"

// Errors of this package. The layers above add the object, the counts and the cure.
var (
	ErrTooMany    = errors.New("Too many entities in existence.") //nolint:revive,staticcheck // a sentence
	ErrOutOfRange = errors.New("Entity out of range.")            //nolint:revive,staticcheck // a sentence
	ErrDead       = errors.New("Entity is not alive.")            //nolint:revive,staticcheck // a sentence
)
