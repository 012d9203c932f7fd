package pack

import (
	"errors"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world/internal/failure"
)

// Errors of packs. They are wrapped, with the cause and the position.
var (
	ErrNotPack = errors.New("this is not a pack")
	ErrNewer   = errors.New("this pack is newer than the program")
	ErrDamaged = errors.New("this pack is damaged")
	ErrSchema  = errors.New("the kinds of this pack do not fit the world")
	ErrCodec   = errors.New("this kind of values has no codec")
	ErrTwice   = tool.ErrTwice // an object is listed twice
)

// damaged returns an error that wraps [ErrDamaged].
func damaged(format string, args ...any) error { return wrap(ErrDamaged, format, args...) }

// wrap returns an error that wraps err and adds details.
func wrap(err error, format string, args ...any) error {
	return failure.Wrap("pack", err, "use all bytes that Pack wrote", format, args...)
}
