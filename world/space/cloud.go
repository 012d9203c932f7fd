package space

import (
	"slices"

	"github.com/flatecs/flatecs/layout"
)

// Floats say where the coordinates are in values that are nothing but float32.
type floats struct {
	stride int  // numbers in a value; 0: there are others too
	x, y   int  // number of the coordinate in a value
	z      int  // the same, or x in the plane
	deep   bool // there is a z
}

// floatsOf returns those of a field with these axes.
func floatsOf[T any](f layout.Field[T], axes []layout.Axis[T]) (w floats) {
	names := f.Axes()
	for _, p := range f.Spec().Parts {
		if p.Type != "float32" {
			return floats{}
		}
	}
	number := func(axis layout.Axis[T]) int {
		return slices.IndexFunc(names, func(name string) bool { return f.Axis(name) == axis })
	}
	w = floats{stride: len(names), x: number(axes[0]), y: number(axes[1])}
	if w.z = w.x; len(axes) == 3 {
		w.z, w.deep = number(axes[2]), true
	}
	return w
}

// A cloud is the entries of cells in a box, with their positions as numbers.
type cloud struct {
	*lattice
	floats
	numbers []float32
}

// pairs is [View.Pairs]. It looks at the cells that a ball around an entry reaches, but for those
// in lower planes, and in the plane in lower rows.
func (c *cloud) pairs(radius float64, yield func(a, b int) bool) {
	if !(radius >= 0) {
		panic(noRadius(radius))
	}
	side, plane := c.n[0], c.n[0]*c.n[1]
	z0, z1 := 0, 0
	for a := range len(c.numbers) / c.stride {
		x, y, z := c.at(a)
		x0, x1 := c.near(0, x, radius)
		y0, y1 := c.near(1, y, radius)
		if c.deep {
			_, z1 = c.near(2, z, radius)
			z0 = c.index(2, z-c.low[2])
		} else {
			y0 = c.index(1, y-c.low[1])
		}
		for k := z0; k <= z1; k++ {
			for row := k*plane + y0*side; row <= k*plane+y1*side; row += side {
				first, end := max(int(c.starts[row+x0]), a+1), int(c.starts[row+x1+1])
				for b := first; b < end; b++ {
					p, q, r := c.at(b)
					p, q, r = p-x, q-y, r-z
					square := float64(p*p) + float64(q*q) + float64(r*r)
					if square <= float64(radius*radius) && !yield(a, b) {
						return
					}
				}
			}
		}
	}
}

// at returns the coordinates of an entry.
func (c *cloud) at(entry int) (x, y, z float64) {
	i := entry * c.stride
	if c.deep {
		z = float64(c.numbers[i+c.z])
	}
	return float64(c.numbers[i+c.x]), float64(c.numbers[i+c.y]), z
}
