package save

import (
	"errors"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world/internal/failure"
)

// Errors of files. The returned errors wrap them, with the cause and the position.
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

// wrap returns an error that wraps err and adds a message.
func wrap(err error, format string, args ...any) error {
	return failure.Wrap("save", err, "use a whole file that Save wrote", format, args...)
}

func wrongSum(title string, got, said uint64) error {
	return damaged("%s: its checksum is %016x, and the file says %016x", title, got, said)
}

// noList returns the error of a field that looks like a list but lacks the kinds of one.
func noList(k *FileKind, f *layout.FieldSpec) error {
	return wrap(ErrImpossible, "%s is no list: its elements or free runs are not those of one",
		k.title(f.Name))
}

// otherSort returns the error of a kind that is of one sort in the file and of another sort in the
// program.
func otherSort(k *FileKind, there, here string) error {
	return wrap(ErrSchema, "%s is %s in the file and %s in the program; give one of them another "+
		"name", layout.Quoted(k.Name), there, here)
}

func sortOf(mark, values bool) string {
	switch {
	case mark:
		return "a mark"
	case values:
		return "a kind of Go values"
	}
	return "a kind of fields"
}

func (h *header) wrongUnits(p *part, n uint64) error {
	return wrap(ErrImpossible, "%s has %d units, and its counters say %d", h.title(&p.partName),
		p.units, n)
}

// inFile adds the path of the file to an error of reading.
func inFile(path string, err error) error { return failure.About("save", path, err, readable) }

// unsaved adds the path of the file to an error of writing.
func unsaved(path string, err error) error {
	return failure.About("save", path, err, "save where a file can be written")
}
