package neighbours

// A plainHell is the same over slices, with a grid: the cells of a bullet and the eight around it.
type plainHell struct {
	shooter
	bullets []shot
	places  []Vec    // of enemies
	healths []int32  // of enemies
	numbers []uint32 // of enemies: 0, 1, …
	grid[uint32]
}

type shot struct {
	at, flight Vec
	left       int32
}

func newPlainHell(n int, dense float32) *plainHell {
	h := &plainHell{shooter: newShooter(n, dense)}
	h.grid = newGrid[uint32](h.edge, hit)
	for i := range uint32(n) {
		h.numbers = append(h.numbers, i)
	}
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
	h.ready()
	for i := 0; i < len(h.bullets); {
		b := &h.bullets[i]
		if h.collide(b.at) || b.left <= 0 {
			*b = h.bullets[len(h.bullets)-1]
			h.bullets = h.bullets[:len(h.bullets)-1]
			continue
		}
		i++
	}
	for i := 0; i < len(h.places); {
		if h.healths[i] <= 0 {
			last := len(h.places) - 1
			h.places[i], h.healths[i] = h.places[last], h.healths[last]
			h.places, h.healths = h.places[:last], h.healths[:last]
			continue
		}
		i++
	}
	h.shoot()
}

func (h *plainHell) ready() { h.build(h.places, h.numbers) }

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
			for _, e := range h.at[h.starts[c]:h.starts[c+1]] {
				dx, dy := e.X-at.X, e.Y-at.Y
				if float32(dx*dx)+float32(dy*dy) <= hit*hit {
					n++
				}
			}
		}
	}
	return n
}

func (h *plainHell) collide(at Vec) (struck bool) {
	column, row := h.cell(at.X), h.cell(at.Y)
	for y := max(row-1, 0); y <= min(row+1, h.width-1); y++ {
		for x := max(column-1, 0); x <= min(column+1, h.width-1); x++ {
			c := y*h.width + x
			first := h.starts[c]
			for k, e := range h.at[first:h.starts[c+1]] {
				dx, dy := e.X-at.X, e.Y-at.Y
				if float32(dx*dx)+float32(dy*dy) <= hit*hit {
					h.healths[h.with[int(first)+k]] -= 3
					h.hits++
					struck = true
				}
			}
		}
	}
	return struck
}

func (h *plainHell) shoot() {
	for len(h.places) < h.n {
		h.places, h.healths = append(h.places, h.place()), append(h.healths, tough)
	}
	for len(h.bullets) < volley*h.n {
		h.bullets = append(h.bullets, shot{h.place(), h.flight(), spent})
	}
}
