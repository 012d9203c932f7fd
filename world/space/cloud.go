package space

// A cloud is a lattice with the coordinates of the entries, on a torus within the box. They are
// numbers of their own, whatever the positions are made of: float32 converts exactly.
type cloud struct {
	lattice
	flat [][2]float64 // of two axes
	deep [][3]float64 // of three
}

// reserve makes the memory for so many entries.
func (c *cloud) reserve(rows int) {
	if c.dims == 3 {
		c.deep = make([][3]float64, rows)
	} else {
		c.flat = make([][2]float64, rows)
	}
}

// at returns the coordinates of an entry.
func (c *cloud) at(entry int) (x, y, z float64) {
	if c.dims == 3 {
		p := &c.deep[entry]
		return p[0], p[1], p[2]
	}
	p := &c.flat[entry]
	return p[0], p[1], 0
}

// pairs is [View.PairsOf] in a box. It looks at the cells that a ball around an entry reaches, but
// for those in lower planes, and in the plane in lower rows.
func (c *cloud) pairs(from, to int, radius float64, yield func(a, b int) bool) {
	side, plane := c.n[0], c.n[0]*c.n[1]
	columns, rows, planes := c.window(0, radius), c.window(1, radius), c.window(2, radius)
	var found candidates
	for a := from; a < to; a++ {
		x, y, z := c.at(a)
		x0, x1 := columns.around(x)
		y0, y1 := rows.around(y)
		z0, z1 := 0, 0
		if c.dims == 3 {
			_, z1 = planes.around(z)
			z0 = c.index(2, z-c.low[2])
		} else {
			y0 = c.index(1, y-c.low[1])
		}
		for k := z0; k <= z1; k++ {
			last := k*plane + y1*side
			for row := k*plane + y0*side; row <= last; row += side {
				b, end := max(int(c.starts[row+x0]), a+1), int(c.starts[row+x1+1])
				for more := true; more; b += few {
					if found.full() && !c.test(&found, radius, yield) {
						return
					}
					more = found.add(a, b, end)
				}
			}
		}
	}
	c.test(&found, radius, yield)
}

// few is how many candidates are added at once: most rows of cells have no more.
const few = 4

// Candidates are pairs of entries that are to be tested. Most rows of cells have one or two, or
// none, so whatever depends on their number or on a test is computed, and not branched on.
type candidates struct {
	pairs [1024 + few]pair32
	hits  [1024 + few]uint32
	n     int
}

type pair32 struct{ a, b uint32 }

func (f *candidates) full() bool { return f.n > len(f.pairs)-few }

// add adds a with the first few entries from b to end, and reports whether there are more.
func (f *candidates) add(a, b, end int) bool {
	to := (*[few]pair32)(f.pairs[f.n:])
	for i := range to {
		to[i] = pair32{uint32(a), uint32(b + i)}
	}
	f.n += min(max(end-b, 0), few)
	return b+few < end
}

// test yields the candidates in reach.
func (c *cloud) test(f *candidates, radius float64, yield func(a, b int) bool) bool {
	limit, hits := float64(radius*radius), 0
	for i := range f.pairs[:f.n] {
		x, y, z := c.at(int(f.pairs[i].a))
		p, q, r := c.at(int(f.pairs[i].b))
		p, q, r = p-x, q-y, r-z
		f.hits[hits] = uint32(i)
		hit := 0
		if float64(p*p)+float64(q*q)+float64(r*r) <= limit {
			hit = 1
		}
		hits += hit
	}
	f.n = 0
	for _, i := range f.hits[:hits] {
		if pair := f.pairs[i]; !yield(int(pair.a), int(pair.b)) {
			return false
		}
	}
	return true
}

// A window is which cells balls of one radius reach along an axis.
type window struct {
	low, scale float64
	n          float64 // cells of the axis
	reach      float64 // the radius in cells, and more than rounding adds; at most n
	last       int
}

func (l *lattice) window(axis int, radius float64) window {
	n := float64(l.n[axis])
	return window{
		low: l.low[axis], scale: l.scale[axis], n: n, last: l.n[axis] - 1,
		reach: min(float64((radius+l.slack(axis, radius))*l.scale[axis]), n),
	}
}

// around is lattice.near, or a cell more at the border for balls around positions outside.
func (w *window) around(x float64) (first, last int) {
	x = float64((x - w.low) * w.scale)
	if x < 0 {
		x = 0
	} else if x > w.n {
		x = w.n
	}
	return max(0, int(x-w.reach)), min(int(x+w.reach), w.last)
}
