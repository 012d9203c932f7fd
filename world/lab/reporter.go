package lab

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/random"
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

// An observer sets dst, one number per column, to measurements of a world; NaN means no value. It
// may use and grow the buffer.
type observer func(dst []float64, s world.State, buffer *[]float64) error

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

// hashed returns for each column whether its numbers are bits of digests.
func hashed(reporters []Reporter) (columns []bool) {
	for _, r := range reporters {
		for range r.columns {
			columns = append(columns, r.hashes)
		}
	}
	return columns
}

// finite returns an error if a number is NaN or infinite.
func finite(numbers []float64) error {
	for _, x := range numbers {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return errors.New("NaN or infinite")
		}
	}
	return nil
}

// checkMade returns an error if this package did not create a reporter.
func checkMade(reporters []Reporter) error {
	if slices.ContainsFunc(reporters, func(r Reporter) bool { return r.observe == nil }) {
		return errors.New("lab: a zero Reporter reports nothing; make one by Count, Report or Of")
	}
	return nil
}

// A Number is a type whose fields can be measured directly.
type Number interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// A Measure is a number per object that matches a query. Its methods return reporters. Sums are
// computed in the order of the walk, which is the same on every machine.
type Measure struct {
	query world.Query
	fill  func(dst []float64, s world.State) []float64
}

// Of returns the measure of a field, over the objects that have the field and match the terms.
func Of[T Number](f layout.Field[T], terms ...world.Term) Measure {
	return OfFunc(f, func(value T) float64 { return float64(value) }, terms...)
}

// OfFunc returns the measure of a function of a field, such as one part of a struct.
func OfFunc[T any](f layout.Field[T], number func(T) float64, terms ...world.Term) Measure {
	if number == nil {
		panic("lab: OfFunc of a nil function; give it one, or call Of")
	}
	q := reading("of a field", append([]world.Term{world.Read(f)}, terms...))
	return Measure{query: q, fill: func(dst []float64, s world.State) []float64 {
		for b := range q.In(s) {
			for _, value := range world.Column(b, f) {
				dst = append(dst, number(value))
			}
		}
		return dst
	}}
}

// OfList returns the measure of a function of a list, such as its length.
func OfList[T any](l layout.List[T], number func([]T) float64, terms ...world.Term) Measure {
	if number == nil {
		panic("lab: OfList of a nil function; give it one")
	}
	q := reading("of a list", append([]world.Term{world.Read(l)}, terms...))
	return Measure{query: q, fill: func(dst []float64, s world.State) []float64 {
		for b := range q.In(s) {
			lists := systems.ListsOf(b, l)
			for i := range lists.Len() {
				dst = append(dst, number(lists.At(i)))
			}
		}
		return dst
	}}
}

// reading returns the query of terms. It panics if a term writes.
func reading(name string, terms []world.Term) world.Query {
	for _, t := range terms {
		text := t.String()
		if strings.HasPrefix(text, "Write") || strings.HasPrefix(text, "RowWise") {
			panic(fmt.Sprintf("lab: reporter %s asks for %s; give it Read or With", name, text))
		}
	}
	return world.NewQuery(terms...)
}

// report returns a reporter that computes several columns from all numbers; reduce may reorder
// them. With fewer than least numbers, all columns are missing.
func (m Measure) report(columns []string, least int, reduce func(dst, all []float64)) Reporter {
	if m.fill == nil {
		panic("lab: the zero Measure measures nothing; make one by Of")
	}
	return Reporter{columns: columns, queries: []world.Query{m.query}, observe: func(
		dst []float64, s world.State, buffer *[]float64,
	) error {
		all := m.fill((*buffer)[:0], s)
		*buffer = all
		if err := finite(all); err != nil {
			return err
		}
		if len(all) < least {
			for i := range dst {
				dst[i] = math.NaN()
			}
			return nil
		}
		reduce(dst, all)
		return finite(dst)
	}}
}

// Sum reports the sum, which is 0 without objects.
func (m Measure) Sum(name string) Reporter {
	return m.report([]string{name}, 0, func(dst, all []float64) { dst[0] = sumOf(all) })
}

// Mean reports the sum divided by the number of objects.
func (m Measure) Mean(name string) Reporter {
	return m.report([]string{name}, 1, func(dst, all []float64) { dst[0] = meanOf(all) })
}

// Min reports the least number.
func (m Measure) Min(name string) Reporter {
	return m.report([]string{name}, 1, func(dst, all []float64) { dst[0] = slices.Min(all) })
}

// Max reports the largest number.
func (m Measure) Max(name string) Reporter {
	return m.report([]string{name}, 1, func(dst, all []float64) { dst[0] = slices.Max(all) })
}

// Variance reports the sum of the squared distances from the mean, divided by one less than the
// number of objects. It is missing for fewer than two objects.
func (m Measure) Variance(name string) Reporter {
	return m.report([]string{name}, 2, func(dst, all []float64) {
		mean, squares := meanOf(all), 0.0
		for _, x := range all {
			squares += float64((x - mean) * (x - mean))
		}
		dst[0] = squares / float64(len(all)-1)
	})
}

// Histogram reports the number of values in each of n bins of equal width between lo and hi. A bin
// includes its lower bound and excludes its upper one; the last bin includes hi. Values outside are
// not counted. The columns are name_0, name_1 and so on.
func (m Measure) Histogram(name string, lo, hi float64, n int) Reporter {
	if n < 1 || n > mostColumns || !(lo < hi) || math.IsInf(hi-lo, 0) {
		panic(fmt.Sprintf("lab: histogram %s of %d bins from %v to %v; give it 1 to %d bins, and "+
			"the lower bound first", name, n, lo, hi, mostColumns))
	}
	return m.report(numbered(name, n), 0, func(dst, all []float64) {
		clear(dst)
		for _, x := range all {
			if x >= lo && x <= hi {
				dst[min(int(float64(x-lo)/(hi-lo)*float64(n)), n-1)]++
			}
		}
	})
}

// mostColumns limits the columns of one reporter.
const mostColumns = 1 << 12

// Quantiles reports the quantiles of shares, each in [0, 1]: 0.5 is the median. They are
// interpolated (Hyndman and Fan 1996, type 7). The columns are name_0.5 and so on.
func (m Measure) Quantiles(name string, shares ...float64) Reporter {
	shares = slices.Clone(shares)
	columns := make([]string, 0, len(shares))
	for _, p := range shares {
		if !(p >= 0 && p <= 1) {
			panic(fmt.Sprintf("lab: quantile %s of %v; shares are between 0 and 1", name, p))
		}
		columns = append(columns, name+"_"+strconv.FormatFloat(p, 'g', -1, 64))
	}
	if len(shares) == 0 || len(shares) > mostColumns {
		panic(fmt.Sprintf("lab: %d quantiles %s; give it 1 to %d", len(shares), name, mostColumns))
	}
	return m.report(columns, 1, func(dst, all []float64) {
		slices.Sort(all)
		for i, p := range shares {
			place := float64(p * float64(len(all)-1))
			low := int(place)
			high := min(low+1, len(all)-1)
			dst[i] = all[low] + float64((all[high]-all[low])*(place-float64(low)))
		}
	})
}

// Sample reports the numbers of n random objects, drawn again for each row with uniform
// probability, in the order of the walk. The choice depends only on the world's seed and tick; the
// world needs Counts.Seed. The columns are name_0, name_1 and so on; columns beyond the number of
// objects are missing.
func (m Measure) Sample(name string, n int) Reporter {
	if n < 1 || n > mostColumns {
		panic(fmt.Sprintf("lab: sample %s of %d objects; give it 1 to %d", name, n, mostColumns))
	}
	r := m.report(numbered(name, n), 0, func([]float64, []float64) {})
	check := r.observe
	r.observe = func(dst []float64, s world.State, buffer *[]float64) error {
		if err := check(dst[:0], s, buffer); err != nil {
			return err
		}
		r := world.Random(s, sampling)
		for i := len(random.Sample(dst, &r, *buffer)); i < len(dst); i++ {
			dst[i] = math.NaN()
		}
		return nil
	}
	return r
}

func numbered(name string, n int) []string {
	columns := make([]string, n)
	for i := range columns {
		columns[i] = name + "_" + strconv.Itoa(i)
	}
	return columns
}

func sumOf(all []float64) (sum float64) {
	for _, x := range all {
		sum += x
	}
	return sum
}

func meanOf(all []float64) float64 { return sumOf(all) / float64(len(all)) }
