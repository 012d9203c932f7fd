package flappy

import (
	"math"
	"strconv"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/schedule"
)

var (
	fallers   = world.NewQuery(world.Write(at, vy), world.Read(vx, g))
	floors    = world.NewQuery(world.Write(at), world.Read(extent), world.With(Floor))
	birds     = world.NewQuery(world.Write(at, vy, angle), world.Read(extent), world.With(Bird))
	bodies    = world.NewQuery(world.Read(at, vy, extent), world.With(Bird))
	tilting   = world.NewQuery(world.Write(angle), world.Read(vy))
	pipes     = world.NewQuery(world.Read(at, extent), world.With(Obstacle))
	passing   = world.NewQuery(world.Read(at, extent), world.Write(passed))
	moving    = world.NewQuery(world.Write(vx), world.With(Floor))
	animated  = world.NewQuery(world.Write(clipCount), world.Read(clips, clipSpeed))
	scores    = world.NewQuery(world.Write(letters, points))
	lines     = world.NewQuery(world.Write(colour, outline, size))
	obstacles = world.NewQuery(world.With(Obstacle))
)

// jobs returns the jobs of a step, in order. After game over only input is handled; while the game
// waits, the bird also beats its wings.
func jobs() []schedule.Job {
	alive := func(s world.State) bool { return world.Resource(s, over) == 0 }
	playing := func(s world.State) bool { return alive(s) && world.Resource(s, waits) == 0 }
	return []schedule.Job{
		{Name: "Event", Do: hear},
		{Name: "Obstacle", Do: makeWay, When: playing},
		{Name: "Velocity", Run: move, Queries: []world.Query{fallers, floors}, When: playing},
		{Name: "Rotate", Run: tilt, Queries: []world.Query{tilting}, When: playing},
		{Name: "Collision", Do: collide, When: playing},
		{Name: "Score", Do: count, When: playing},
		{Name: "Render", Run: animate, Queries: []world.Query{animated}, When: alive},
	}
}

// hear flaps when the button goes down, and starts a new game after game over.
func hear(s world.State) (world.State, error) {
	pressed := uint8(scene.Pressed(s) & Flap)
	goesDown := pressed != 0 && world.Resource(s, down) == 0
	s = world.SetResource(s, down, pressed)
	n := world.Resource(s, steps)
	if n < math.MaxUint32 {
		s = world.SetResource(s, steps, n+1)
	}
	switch {
	case !goesDown:
	case world.Resource(s, over) == 0:
		s = world.SetResource(s, waits, 0)
		for b := range birds.In(s) {
			for i := range world.Column(b, vy) {
				world.Column(b, vy)[i] = -birdFlap
			}
		}
	case n >= restartSteps: // a new game equals the first one, except for random numbers
		s, err := obstacles.DisposeAll(s)
		return begin(s), err
	}
	return s, nil
}

// begin resets the bird, the score and the game. It waits for the first flap, except in the variant
// of the document.
func begin(s world.State) world.State {
	for b := range birds.In(s) {
		p, v, a := world.Column(b, at), world.Column(b, vy), world.Column(b, angle)
		for i := range p {
			p[i], v[i], a[i] = [2]float32{birdX, birdY}, 0, 0
		}
	}
	for b := range scores.In(s) {
		clear(world.Column(b, points))
		for i := range world.Column(b, letters) {
			if world.Resource(s, told) == 0 {
				write(world.Column(b, letters)[i][:], scoreWords, 0)
			}
		}
	}
	for b := range moving.In(s) {
		v := world.Column(b, vx)
		for i := range v {
			v[i] = -world.Resource(s, speed)
		}
	}
	s = world.SetResource(s, over, 0)
	s = world.SetResource(s, steps, 0)
	s = world.SetResource(s, waits, 1-world.Resource(s, told))
	return world.SetResource(s, way, pipeFirst)
}

// makeWay creates the next pipes, and disposes those that have left the canvas.
func makeWay(s world.State) (world.State, error) {
	for b := range pipes.In(s) {
		p, size := world.Column(b, at), world.Column(b, extent)
		for i := range p {
			if p[i][0]+size[i][0] < 0 {
				b.Dispose(i)
			}
		}
	}
	s, err := world.Apply(s)
	if err != nil {
		return s, err
	}
	dx := world.Resource(s, speed)
	s = world.SetResource(s, flown, wrapped(world.Resource(s, flown)+dx))
	left := world.Resource(s, way) - dx
	if left <= 0 && world.Len(s) <= objects-2 {
		left += pipeDistance
		var r world.Stream
		s, r = world.NextStream(s)
		opening := opening(s)
		top := r.Range(pipeMargin, floorTop-opening-pipeMargin)
		s, err = addPipe(s, top-height, picturePipeAbove)
		if err == nil {
			s, err = addPipe(s, top+opening, picturePipeBelow)
		}
	}
	return world.SetResource(s, way, left), err
}

// opening returns the gap between two pipes, or the default if the gap is invalid.
func opening(s world.State) float32 {
	if x := world.Resource(s, gap); x >= 0 && x <= floorTop-2*pipeMargin {
		return x
	}
	return height / 4
}

// wrapped returns a distance modulo the width of the hills.
func wrapped(way float32) float32 {
	const all = width * farSlow * nearSlow
	if way >= all {
		way -= all
	}
	if way >= 0 && way < all {
		return way
	}
	return 0
}

// addPipe adds a pipe at the right edge of the canvas.
func addPipe(s world.State, y float32, picture uint16) (world.State, error) {
	s, id, err := spawn(s, pipe)
	if err != nil {
		return s, err
	}
	s, _ = world.Set(s, id, at, [2]float32{world.Resource(s, canvas)[0], y}) // it has the kind
	s, _ = world.Set(s, id, vx, -world.Resource(s, speed))
	return world.Set(s, id, source, picture)
}

// move moves every object that has a velocity; the floor jumps back before its end is visible.
func move(s world.State) world.State {
	for b := range fallers.In(s) {
		p, right := world.Column(b, at), world.Column(b, vx)
		fall, pull := world.Column(b, vy), world.Column(b, g)
		for i := range p {
			fall[i] += pull[i]
			p[i][0] += right[i]
			p[i][1] += fall[i]
		}
	}
	w := world.Resource(s, canvas)[0]
	for b := range floors.In(s) {
		p, size := world.Column(b, at), world.Column(b, extent)
		for i := range p {
			if p[i][0] < w-size[i][0] {
				p[i][0] = 0
			}
		}
	}
	return s
}

// tilt turns falling objects downward, and rising ones upward, by a fraction per step.
func tilt(s world.State) world.State {
	for b := range tilting.In(s) {
		a, v := world.Column(b, angle), world.Column(b, vy)
		for i := range a {
			aim := min(max(float32(v[i]*.11), -.45), 1.2)
			a[i] += float32((aim - a[i]) * .25)
		}
	}
	return s
}

// collide ends the game when the bird touches a pipe or the floor. The bird cannot leave at the
// top.
func collide(s world.State) (world.State, error) {
	hit := false
	for b := range birds.In(s) {
		p, size, v := world.Column(b, at), world.Column(b, extent), world.Column(b, vy)
		for i := range p {
			if p[i][1] < 0 {
				p[i][1], v[i] = 0, max(v[i], 0)
			}
			if p[i][1]+size[i][1] >= floorTop {
				p[i][1], hit = floorTop-size[i][1], true
			}
		}
	}
	for b := range bodies.In(s) {
		p, size := world.Column(b, at), world.Column(b, extent)
		for i := range p {
			hit = hit || touches(s, p[i], size[i])
		}
	}
	if hit {
		s = world.SetResource(s, over, 1)
		s = world.SetResource(s, steps, 0)
	}
	return s, nil
}

// touches reports whether a bird touches a pipe.
func touches(s world.State, p, size [2]float32) bool {
	left, top := p[0]+birdSlack, p[1]+birdSlack
	right, bottom := p[0]+size[0]-birdSlack, p[1]+size[1]-birdSlack
	hit := false
	for b := range pipes.In(s) {
		q, extent := world.Column(b, at), world.Column(b, extent)
		for i := range q {
			hit = hit || left < q[i][0]+extent[i][0] && q[i][0] < right &&
				top < q[i][1]+extent[i][1] && q[i][1] < bottom
		}
	}
	return hit
}

// count shows the score, and then increases it: by 1 in each step, or for each pair of pipes.
func count(s world.State) (world.State, error) {
	gain := uint64(1)
	if world.Resource(s, counts) != 0 {
		gain = pass(s)
	}
	words := scoreWords
	if world.Resource(s, told) != 0 {
		words = documentWords
	}
	for b := range scores.In(s) {
		n, text := world.Column(b, points), world.Column(b, letters)
		for i := range n {
			write(text[i][:], words, n[i])
			n[i] += gain
		}
	}
	return s, nil
}

// pass returns the number of pairs of pipes that the bird has passed in this step.
func pass(s world.State) (pairs uint64) {
	for b := range passing.In(s) {
		p, size, done := world.Column(b, at), world.Column(b, extent), world.Column(b, passed)
		for i := range p {
			if done[i] == 0 && p[i][0]+size[i][0] < birdX {
				done[i] = 1
				pairs++
			}
		}
	}
	return pairs / 2
}

// write sets a text to words and a score.
func write(dst []uint8, words string, score uint64) {
	var text [maxText]uint8
	strconv.AppendUint(append(text[:0], words...), score, 10)
	copy(dst, text[:])
}

// animate shows the next clip when it is due, and the first one after the last.
func animate(s world.State) world.State {
	for b := range animated.In(s) {
		c, n := world.Column(b, clipCount), world.Column(b, clips)
		v := world.Column(b, clipSpeed)
		for i := range c {
			c[i] += v[i]
			if c[i] >= float32(n[i]) {
				c[i] = 0
			}
		}
	}
	return s
}
