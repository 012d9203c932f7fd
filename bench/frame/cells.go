package frame

// Cells are bodies sorted by place, as a program implements it for a library without spatial
// queries: a square of cells with edges of Reach, in rows; cells at the border include everything
// outside. Bodies are stored with the data for testing them, are sorted by counting, and are
// compared with bodies in the same and adjacent cells.
type Cells[ID any] struct {
	side  int // of the square, in cells
	added []Disc[ID]
	cells []int32 // per body
	first []int32 // per cell, into order
	order []Disc[ID]
}

// A Disc is a body in cells.
type Disc[ID any] struct {
	At     Position
	Radius float32
	ID     ID
}

// Clear empties the cells, for a square with this side in world units.
func (c *Cells[ID]) Clear(side float32) {
	c.side = max(1, int(side/Reach))
	if n := c.side*c.side + 1; len(c.first) != n {
		c.first = make([]int32, n)
	}
	clear(c.first)
	c.added, c.cells = c.added[:0], c.cells[:0]
}

// Add adds a body.
func (c *Cells[ID]) Add(at Position, radius float32, id ID) {
	cell := c.along(at.Y)*c.side + c.along(at.X)
	c.added, c.cells = append(c.added, Disc[ID]{at, radius, id}), append(c.cells, int32(cell))
	c.first[cell]++
}

func (c *Cells[ID]) along(x float32) int { return max(0, min(int(x*(1./Reach)), c.side-1)) }

// Touching yields each pair of touching bodies once.
func (c *Cells[ID]) Touching(yield func(a, b ID)) {
	c.sort()
	for y := range c.side {
		for x := range c.side {
			cell := y*c.side + x
			from, to := c.first[cell], c.first[cell+1]
			if from == to {
				continue
			}
			beside := c.order[to:c.first[y*c.side+min(x+2, c.side)]]
			var below []Disc[ID]
			if y+1 < c.side {
				row := cell + c.side - x
				below = c.order[c.first[row+max(x-1, 0)]:c.first[row+min(x+2, c.side)]]
			}
			own := c.order[from:to]
			for i := range own {
				own[i].meet(own[i+1:], yield)
				own[i].meet(beside, yield)
				own[i].meet(below, yield)
			}
		}
	}
}

func (d *Disc[ID]) meet(others []Disc[ID], yield func(a, b ID)) {
	for i := range others {
		if o := &others[i]; Touch(d.At, o.At, d.Radius, o.Radius) {
			yield(d.ID, o.ID)
		}
	}
}

// sort orders the bodies by cell.
func (c *Cells[ID]) sort() {
	at := int32(0)
	for i, n := range c.first {
		at += n
		c.first[i] = at // the end; sorting counts it down to the start
	}
	if cap(c.order) < len(c.added) {
		c.order = make([]Disc[ID], len(c.added)+len(c.added)/8)
	}
	c.order = c.order[:len(c.added)]
	for i, cell := range c.cells {
		c.first[cell]--
		c.order[c.first[cell]] = c.added[i]
	}
}
