package lab

import (
	"errors"
	"math"
	"slices"

	"github.com/flatecs/flatecs/world"
)

// A Reporter measures a world, with a number for each of its columns. Declare reporters once; they
// hold no world and can serve several goroutines. NaN and infinite numbers are errors; a number
// without a value, such as the mean of no objects, is missing from the table.
type Reporter struct {
	columns []string
	queries []world.Query // that it walks
	hashes  bool          // the number is the bits of a digest
	observe observer
}

// An observer sets dst, one number per column, to what it finds in a world; NaN for nothing. It
// may use and enlarge the buffer.
type observer func(dst []float64, s world.State, buffer *[]float64) error

// errNumber is what a reporter finds where no number belongs.
var errNumber = errors.New("NaN or infinite")

// Report returns a reporter of a function of the world, which must not change it.
func Report(name string, of func(s world.State) float64) Reporter {
	if of == nil {
		panic("lab: the function of reporter " + name + " is nil; give it one")
	}
	return Reporter{columns: []string{name}, observe: func(
		dst []float64, s world.State, _ *[]float64,
	) error {
		dst[0] = of(s)
		return finite(dst)
	}}
}

// Count returns a reporter of the number of objects that match the terms.
func Count(name string, terms ...world.Term) Reporter {
	q := reading(name, terms)
	return Reporter{columns: []string{name}, queries: []world.Query{q}, observe: func(
		dst []float64, s world.State, _ *[]float64,
	) error {
		dst[0] = float64(q.Count(s))
		return nil
	}}
}

// Together returns a reporter with the columns of several, in order; a [Panel] draws them in one
// plot. It panics without reporters, and if one was not made by this package or is a [Digest].
func Together(reporters ...Reporter) Reporter {
	if len(reporters) == 0 {
		panic("lab: Together without reporters; pass two or more")
	}
	var all Reporter
	for _, r := range reporters {
		if r.observe == nil || r.hashes {
			panic("lab: Together of a Digest or a zero Reporter; give it reporters of numbers")
		}
		all.columns = append(all.columns, r.columns...)
		all.queries = append(all.queries, r.queries...)
	}
	parts := slices.Clone(reporters)
	all.observe = func(dst []float64, s world.State, buffer *[]float64) error {
		for _, r := range parts {
			if err := r.observe(dst[:len(r.columns):len(r.columns)], s, buffer); err != nil {
				return err
			}
			dst = dst[len(r.columns):]
		}
		return nil
	}
	return all
}

// Digest returns a reporter of the world's digest, as 16 hexadecimal digits: two runs with the same
// digests at each step were equal, on any machines.
func Digest(name string) Reporter {
	return Reporter{columns: []string{name}, hashes: true, observe: func(
		dst []float64, s world.State, _ *[]float64,
	) error {
		dst[0] = math.Float64frombits(world.Digest(s))
		return nil
	}}
}

// hashed returns for each column of reporters whether its numbers are the bits of digests.
func hashed(reporters []Reporter) (columns []bool) {
	for _, r := range reporters {
		for range r.columns {
			columns = append(columns, r.hashes)
		}
	}
	return columns
}

// finite returns an error if a number is none.
func finite(numbers []float64) error {
	for _, x := range numbers {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return errNumber
		}
	}
	return nil
}

// check looks whether r was made by this package.
func (r Reporter) check() error {
	if r.observe == nil {
		return errors.New("lab: a zero Reporter reports nothing; make one by Count, Report or Of")
	}
	return nil
}
