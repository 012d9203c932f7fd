package neighbours

// A plainHell is the same over slices, with cells by hand: those of a bullet and the eight around
// it.
type plainHell struct {
	shooter
	bullets []shot
	enemies []target
	n       int
	edge    float32
	hits    int

	width  int
	starts []uint32
	cells  []uint32
	sorted []sortedTarget
}

type shot struct {
	at, flight Vec
	left       int32
}

type target struct {
	at     Vec
	health int32
}

type sortedTarget struct {
	at    Vec
	enemy uint32
}

func newPlainHell(n int, dense float32) *plainHell {
	h := &plainHell{shooter: newShooter(), n: n, edge: edgeOf(n, dense)}
	h.width = int(h.edge / hit)
	h.starts = make([]uint32, h.width*h.width+2)
	h.shoot()
	return h
}

func (h *plainHell) play() {
	for i := range h.bullets {
		b := &h.bullets[i]
		b.at.X += b.flight.X
		b.at.Y += b.flight.Y
		b.left--
	}
	h.sort()
	for i := 0; i < len(h.bullets); {
		b := &h.bullets[i]
		if h.collide(b.at) || b.left <= 0 {
			*b = h.bullets[len(h.bullets)-1]
			h.bullets = h.bullets[:len(h.bullets)-1]
			continue
		}
		i++
	}
	for i := 0; i < len(h.enemies); {
		if h.enemies[i].health <= 0 {
			h.enemies[i] = h.enemies[len(h.enemies)-1]
			h.enemies = h.enemies[:len(h.enemies)-1]
			continue
		}
		i++
	}
	h.shoot()
}

func (h *plainHell) ready() { h.sort() }

func (h *plainHell) ask() {
	for i := range h.bullets {
		h.hits += h.near(h.bullets[i].at)
	}
}

// near returns how many enemies are near.
func (h *plainHell) near(at Vec) (n int) {
	column, row := h.cell(at.X), h.cell(at.Y)
	for y := max(row-1, 0); y <= min(row+1, h.width-1); y++ {
		for x := max(column-1, 0); x <= min(column+1, h.width-1); x++ {
			c := y*h.width + x
			for _, t := range h.sorted[h.starts[c]:h.starts[c+1]] {
				dx, dy := t.at.X-at.X, t.at.Y-at.Y
				if float32(dx*dx)+float32(dy*dy) <= hit*hit {
					n++
				}
			}
		}
	}
	return n
}

func (h *plainHell) hit() int { return h.hits }

func (h *plainHell) close() {}

func (h *plainHell) cell(x float32) int { return min(max(int(x*(1.0/hit)), 0), h.width-1) }

// sort puts the enemies into cells.
func (h *plainHell) sort() {
	clear(h.starts)
	h.cells = h.cells[:0]
	for i := range h.enemies {
		at := h.enemies[i].at
		c := uint32(h.cell(at.Y)*h.width + h.cell(at.X))
		h.cells = append(h.cells, c)
		h.starts[c+2]++
	}
	for i := 2; i < len(h.starts); i++ {
		h.starts[i] += h.starts[i-1]
	}
	h.sorted = h.sorted[:cap(h.sorted)]
	if len(h.sorted) < len(h.enemies) {
		h.sorted = make([]sortedTarget, 2*len(h.enemies))
	}
	for i, c := range h.cells {
		k := h.starts[c+1]
		h.starts[c+1]++
		h.sorted[k] = sortedTarget{h.enemies[i].at, uint32(i)}
	}
}

func (h *plainHell) collide(at Vec) (struck bool) {
	column, row := h.cell(at.X), h.cell(at.Y)
	for y := max(row-1, 0); y <= min(row+1, h.width-1); y++ {
		for x := max(column-1, 0); x <= min(column+1, h.width-1); x++ {
			c := y*h.width + x
			for _, t := range h.sorted[h.starts[c]:h.starts[c+1]] {
				dx, dy := t.at.X-at.X, t.at.Y-at.Y
				if float32(dx*dx)+float32(dy*dy) <= hit*hit {
					h.enemies[t.enemy].health -= 3
					h.hits++
					struck = true
				}
			}
		}
	}
	return struck
}

func (h *plainHell) shoot() {
	for len(h.enemies) < h.n {
		h.enemies = append(h.enemies, target{at: h.place(h.edge), health: tough})
	}
	for len(h.bullets) < volley*h.n {
		h.bullets = append(h.bullets, shot{h.place(h.edge), h.flight(), spent})
	}
}
