package space

import (
	"errors"
	"fmt"
)

// Errors of this package.
var (
	// ErrOptions is the error of invalid Options.
	ErrOptions = errors.New("space: these options make no cells")

	// ErrOutside is the error of positions outside of the box. They are in the cells at its border,
	// and searches find them; many of them make searches slow.
	ErrOutside = errors.New("space: positions are outside of the box")

	// ErrNotFinite is the error of positions that are NaN or infinite. They are in no cell.
	ErrNotFinite = errors.New("space: positions are NaN or infinite")

	// ErrGrid is the error of a grid whose kinds are already in use.
	ErrGrid = errors.New("space: the cells of this grid cannot be created")

	// ErrTaken is the error of a full cell.
	ErrTaken = errors.New("space: the cell is taken")

	// ErrInside is the error of an object that is already in a cell.
	ErrInside = errors.New("space: the object is in a cell")

	// ErrElsewhere is the error of an object that is not in the cell.
	ErrElsewhere = errors.New("space: the object is not in this cell")
)

// strays counts the positions outside the box, and the positions that are not finite, by their
// error.
type strays struct {
	n     [2]int // number of objects
	first [2]stray
}

const (
	lost = iota
	outside
)

type stray struct {
	id uint64
	at [3]float64
}

// add adds the strays of the next part.
func (s *strays) add(t *strays) {
	for i, n := range t.n {
		if s.n[i] == 0 {
			s.first[i] = t.first[i]
		}
		s.n[i] += n
	}
}

// err returns an error that names the first strays.
func (s *strays) err(dims int) error {
	var errs [2]error
	for i, fix := range [2]string{"find out which system writes it", "give a larger box, or none"} {
		if s.n[i] > 0 {
			errs[i] = fmt.Errorf("%w: %d of them, first that of object %d: %v; %s",
				[2]error{ErrNotFinite, ErrOutside}[i], s.n[i], uint32(s.first[i].id),
				s.first[i].at[:dims], fix)
		}
	}
	return errors.Join(errs[:]...)
}
