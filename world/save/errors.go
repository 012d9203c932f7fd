package save

import (
	"errors"

	"github.com/flatecs/flatecs/world/internal/failure"
)

// Errors of files. They are wrapped, with the cause and the position.
var (
	ErrNotFlat    = errors.New("this is not a save file")
	ErrOrder      = errors.New("this save file has the other byte order")
	ErrNewer      = errors.New("this save file is newer than the program")
	ErrTruncated  = errors.New("this save file is truncated")
	ErrTrailing   = errors.New("this save file is longer than it says")
	ErrOverlap    = errors.New("parts of this save file overlap")
	ErrDamaged    = errors.New("this save file is damaged")
	ErrNotFile    = failure.ErrNotFile
	ErrSchema     = errors.New("the kinds of this save file do not fit the program")
	ErrCodec      = errors.New("this kind of values has no codec")
	ErrMigration  = errors.New("a field has changed, and no migration says how")
	ErrImpossible = errors.New("this save file is inconsistent")
	ErrTooLarge   = errors.New("this save file decompresses to more than is allowed")
)

// damaged returns an error that wraps [ErrDamaged].
func damaged(format string, args ...any) error { return wrap(ErrDamaged, format, args...) }

// wrap returns an error that wraps err and says more.
func wrap(err error, format string, args ...any) error {
	return failure.Wrap("save", err, "use a whole file that Save wrote", format, args...)
}
