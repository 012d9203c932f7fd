package space

// A cloud is a lattice with the coordinates of the entries, on a torus within the box. They are
// float64 copies, whatever the type of the positions: float32 converts exactly.
type cloud struct {
	lattice
	flat [][2]float64 // of two axes
	deep [][3]float64 // of three
}

// cloudOf returns a cloud with room for rows entries.
func cloudOf(l lattice, rows int) cloud {
	l.starts = make([]uint32, l.cells()+1)
	if l.dims == 3 {
		return cloud{l, nil, make([][3]float64, rows)}
	}
	return cloud{l, make([][2]float64, rows), nil}
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

// put sets the coordinates of n entries from first on.
func (c *cloud) put(first, n int, at *[3][chunk]float64) {
	if c.fold(at, n); c.dims == 3 {
		for i := range c.deep[first:][:n] {
			c.deep[first+i] = [3]float64{at[0][i], at[1][i], at[2][i]}
		}
		return
	}
	for i := range c.flat[first:][:n] {
		c.flat[first+i] = [2]float64{at[0][i], at[1][i]}
	}
}

// A spot holds the coordinates of an entry.
type spot interface{ [2]float64 | [3]float64 }

// squareFrom returns the square of the distance of a spot from a point.
func squareFrom[P spot](at *P, x, y, z float64) float64 {
	x, y = (*at)[0]-x, (*at)[1]-y
	square := float64(x*x) + float64(y*y)
	if len(*at) == 3 {
		z = (*at)[len(*at)-1] - z
		square += float64(z * z)
	}
	return square
}
