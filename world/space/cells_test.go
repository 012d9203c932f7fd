package space_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/space"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	speed = layout.NewComponent[[2]float32]("speed")
	mover = world.NewRecipe("mover", flat2, speed)
	place = world.NewQuery(world.Write(flat2))
	all   = world.NewQuery(world.Read(flat2))
	give  = world.NewQuery(world.Write(speed))
)

// crowd returns a world with n movers on a line, at 0, 1, 2, …
func crowd(tb testing.TB, n int) world.State {
	tb.Helper()
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: n + 10, Kinds: layout.Kinds(flat2.Count(n), speed.Count(n+10), ghost),
		Recipes: []world.Recipe{mover},
	}))
	at := float32(0)
	s = world.Must(world.SpawnN(s, mover, n, func(b world.Batch) {
		p := world.Column(b, flat2)
		for i := range p {
			p[i] = [2]float32{at, 0}
			at++
		}
	}))
	return s
}

func cellsOf(tb testing.TB, s world.State, o space.Options) *space.Cells[[2]float32] {
	tb.Helper()
	if o.Size == 0 {
		o.Size = 2
	}
	return world.Must(space.NewCells(s, flat2, o))
}

func TestStaleCellsAreRefused(t *testing.T) {
	stale := func(c *space.Cells[[2]float32], s world.State) {
		t.Helper()
		assert.PanicsWithValue(t, "space: these cells were not built for this State: flat2 was written "+
			"since, or it is another world's; write state = cells.Build(state, workers) first",
			func() { c.In(s) })
	}
	s := crowd(t, 10)
	c := cellsOf(t, s, space.Options{})
	stale(c, s) // never built
	s = c.Build(s, nil)
	c.In(s)
	s = world.Must(world.Set(s, c.In(s).IDs()[0], speed, [2]float32{1, 1}))
	c.In(s) // another kind
	s = world.Advance(s)
	c.In(s) // nothing was written

	for range place.In(s) {
		continue
	}
	stale(c, s)
	s = c.Build(s, nil)
	for range place.In(s) { // in the tick in which they were built, too
		break
	}
	stale(c, s)
	s = c.Build(s, nil)
	s = world.Must(world.Set(s, c.In(s).IDs()[0], flat2, [2]float32{}))
	stale(c, s)
	s = c.Build(s, nil)
	s = world.Must(world.Dispose(s, c.In(s).IDs()[3]))
	stale(c, s)

	s = c.Build(s, nil)
	stale(c, world.Must(world.Clone(s)))
	c.In(s)
}

func TestCellsAreStaleAfterGoingBack(t *testing.T) {
	s := crowd(t, 10)
	p := world.Must(world.NewSnapshot(s))
	c := cellsOf(t, s, space.Options{})
	s = c.Build(s, nil)
	require.NoError(t, p.Take(s))
	s = world.Must(world.Restore(s, p))
	assert.Panics(t, func() { c.In(s) })
	s = c.Build(s, nil)
	c.In(s)
	for at := range place.In(s) {
		world.Column(at, flat2)[0] = [2]float32{7, 7}
	}
	s = c.Build(s, nil)
	s = world.Must(world.Restore(s, p))
	assert.Panics(t, func() { c.In(s) })
}

// Two ways from one snapshot to the same tick have other positions with the same stamps.
func TestCellsOfAnotherBranchAreRefused(t *testing.T) {
	s := crowd(t, 10)
	c := cellsOf(t, s, space.Options{})
	p := world.Must(world.NewSnapshot(s))
	require.NoError(t, p.Take(s))
	step := func(s world.State, x float32) world.State {
		s = world.Advance(s)
		for b := range place.In(s) {
			world.Column(b, flat2)[0][0] = x
		}
		return world.Advance(s)
	}
	s = c.Build(step(s, 5), nil)
	c.In(s)
	s = world.Must(world.Restore(s, p))
	s = step(s, 6)
	assert.Panics(t, func() { c.In(s) })
}

func TestStraysAreNamed(t *testing.T) {
	s := crowd(t, 10)
	ids := slices.Collect(all.Objects(s))
	for i, y := range []float32{float32(math.NaN()), float32(math.Inf(1)), 100, -1} {
		s = world.Must(world.Set(s, ids[2+i], flat2, [2]float32{float32(2 + i), y}))
	}
	c := cellsOf(t, s, space.Options{Low: []float64{0, 0}, High: []float64{8, 8}, Parts: 2})
	s = c.Build(s, nil)
	v := c.In(s)
	err := v.Strays()
	require.ErrorIs(t, err, space.ErrNotFinite)
	require.ErrorIs(t, err, space.ErrOutside)
	require.EqualError(t, err, "space: positions are NaN or infinite: 2 of them, first that of object "+
		"2: [2 NaN]; find out which system writes it\n"+
		"space: positions are outside of the box: 3 of them, first that of object 4: [4 100]; "+
		"give a larger box, or none")
	assert.Equal(t, 8, v.Len())
	for _, id := range ids {
		s = world.Must(world.Set(s, id, flat2, [2]float32{8, 0}))
	}
	s = c.Build(s, nil)
	require.NoError(t, c.In(s).Strays(), "the high border is inside")
}

func TestAllocsBuildAndSearch(t *testing.T) {
	w := systems.NewWorkers(2)
	defer w.Close()
	s := crowd(t, 1000)
	for name, o := range boxes(2) {
		o.Parts, o.Carry = 2, []space.Carried{space.Carry(speed)}
		c := cellsOf(t, s, o)
		s = c.Build(s, w)
		hits, found, values := make([]space.Hit, 5), 0, make([][2]float32, 1000)
		near := make([]space.Hit, 0, 64)
		assert.Zero(t, testing.AllocsPerRun(20, func() {
			s = world.Advance(s)
			for range place.In(s) {
				continue
			}
			s = c.Build(s, w)
			v := c.In(s)
			for e := range v.Near([2]float32{3, 3}, 5) {
				found++
				values[e][0]++
			}
			for i, hit := range v.NearEach(v.Points(), 2) {
				values[i][1] += float32(hit.Square)
			}
			near = v.AppendNear(near[:0], [2]float32{3, 3}, 5)
			for range v.Rect([2]float32{3, 3}, [2]float32{4, 4}) {
				found++
			}
			for range v.Pairs(.5) {
				found++
			}
			for b := range give.In(s) {
				space.Return(world.Column(b, speed), v, b, values)
			}
			found += len(v.Nearest(hits, [2]float32{3, 3}, 5)) + len(space.Column(v, speed))
		}), name)
	}
}

func TestOptionsThatMakeNoCells(t *testing.T) {
	s := crowd(t, 10)
	box := []float64{0, 0}
	for name, o := range map[string]space.Options{
		"Size 0;":                        {},
		"Size NaN;":                      {Size: math.NaN()},
		"Size +Inf;":                     {Size: math.Inf(1)},
		"Parts -1;":                      {Size: 1, Parts: -1},
		"Parts 65;":                      {Size: 1, Parts: 65},
		"Wrap without a box;":            {Size: 1, Wrap: true},
		"Low and High of 2 and 0":        {Size: 1, Low: box},
		"Low and High of 2 and 1":        {Size: 1, Low: box, High: box[:1]},
		"a box from 0 to 0 on axis 0;":   {Size: 1, Low: box, High: box},
		"a box from 0 to NaN on axis 1;": {Size: 1, Low: box, High: []float64{1, math.NaN()}},
		"1000000000000 cells of size":    {Size: 1, Low: box, High: []float64{1e6, 1e6}},
		"with 1 axes":                    {Size: 1, Axes: []string{"[0]"}},
		`with axis "[1]" twice;`:         {Size: 1, Axes: []string{"[1]", "[1]"}},
		"a nil in Carry;":                {Size: 1, Carry: []space.Carried{nil}},
		"the query writes flat2;":        {Size: 1, Query: place},
	} {
		_, err := space.NewCells(s, flat2, o)
		require.ErrorIs(t, err, space.ErrOptions, name)
		require.ErrorContains(t, err, name)
	}
	_, err := space.NewCells(s, deep3, space.Options{Size: 1})
	require.ErrorIs(t, err, world.ErrNoKind)
	assert.PanicsWithValue(t, `layout: field flat2 has no axis "Y"; its float32 and float64 are: [0], [1]`,
		func() { _, _ = space.NewCells(s, flat2, space.Options{Size: 1, Axes: []string{"[0]", "Y"}}) })
}

func TestMisuseIsNamed(t *testing.T) {
	s := crowd(t, 10)
	c := cellsOf(t, s, space.Options{})
	s = c.Build(s, nil)
	v := c.In(s)
	for message, f := range map[string]func(){
		"space: a search with radius -1; give 0 or more": func() { v.Near([2]float32{}, -1)(nil) },
		"space: Return of 3 values to 10 objects: the cells have 10 entries, and the batch 10 objects; " +
			"give a value per entry, and a column of the batch": func() { giveAll(s, v, 10, 3) },
		"space: Return of 10 values to 9 objects: the cells have 10 entries, and the batch 10 objects; " +
			"give a value per entry, and a column of the batch": func() { giveAll(s, v, 9, 10) },
		"space: a search with radius NaN; give 0 or more": func() { v.NearEach(nil, math.NaN())(nil) },
		"space: a search with radius -4; give 0 or more":  func() { v.AppendNear(nil, [2]float32{}, -4) },
		"space: a search with radius -3; give 0 or more": func() {
			v.Nearest(make([]space.Hit, 1), [2]float32{}, -3)
		},
		"space: pairs of the entries from 3 to before 2, of 10; give a range of them": func() {
			v.PairsOf(3, 2, 1)(nil)
		},
		"space: pairs of the entries from -1 to before 2, of 10; give a range of them": func() {
			v.PairsOf(-1, 2, 1)(nil)
		},
		"space: pairs of the entries from 3 to before 11, of 10; give a range of them": func() {
			v.PairsOf(3, 11, 1)(nil)
		},
		"space: these cells do not carry speed; give space.Carry of it in Options.Carry": func() {
			space.Column(v, speed)
		},
		"space: this View is stale, or of no cells; write view = cells.In(state)": func() {
			space.View[[2]float32]{}.Len()
		},
		"space: nil Cells belong to no world; make them by NewCells": func() {
			(*space.Cells[[2]float32])(nil).In(s)
		},
		"space: Cells.Build: this world has more objects than the 10 that the cells have room for; " +
			"make some by NewCells with this State": func() { c.Build(crowd(t, 100), nil) },
		world.ErrWalking.Error(): func() {
			for range all.In(s) {
				s = c.Build(s, nil)
			}
		},
	} {
		assert.PanicsWithValue(t, message, f)
	}
}

func TestNoObjects(t *testing.T) {
	for name, o := range boxes(2) {
		s := crowd(t, 0)
		o.Parts = 4
		c := cellsOf(t, s, o)
		s = c.Build(s, nil)
		v := c.In(s)
		assert.Zero(t, v.Len(), name)
		assert.Empty(t, slices.Collect(v.Near([2]float32{}, 10)), name)
		assert.Empty(t, v.Nearest(make([]space.Hit, 3), [2]float32{}, math.Inf(1)), name)
	}
}

// near returns the entries within a radius by the book.
func near(v space.View[[2]float32], at [2]float32, radius float64) (found []int) {
	for e, p := range v.Points() {
		d := v.Between(at, p)
		if float64(d[0]*d[0])+float64(d[1]*d[1]) <= float64(radius*radius) {
			found = append(found, e)
		}
	}
	return found
}

// Cells are the same with many objects, with few after most were disposed, and with many again.
func TestFewerThanBefore(t *testing.T) {
	s := crowd(t, 3000)
	r := rand.New(rand.NewPCG(7, 8))
	for name, o := range boxes(2) {
		s, c := world.Must(world.Clone(s)), cellsOf(t, s, o)
		for alive := 3000; alive > 1; alive /= 4 {
			for id := range all.Objects(s) {
				at := [2]float32{r.Float32()*40 - 10, r.Float32()*40 - 10}
				s = world.Must(world.Set(s, id, flat2, at))
			}
			s = c.Build(s, nil)
			v := c.In(s)
			for range 200 {
				at, radius := [2]float32{r.Float32()*40 - 10, r.Float32()*40 - 10}, 4*r.Float64()
				found := slices.Sorted(v.Near(at, radius))
				require.Equal(t, near(v, at, radius), found, "%s, %d, %v, %v", name, alive, at, radius)
			}
			for i, id := range slices.Collect(all.Objects(s)) {
				if i >= alive/4 {
					s = world.Must(world.Dispose(s, id))
				}
			}
		}
		world.Close(s)
	}
}

// Rect goes on behind the border of a torus.
func TestRectAcrossTheBorder(t *testing.T) {
	s := crowd(t, 300)
	r := rand.New(rand.NewPCG(9, 10))
	c := cellsOf(t, s, boxes(2)["torus"])
	for id := range all.Objects(s) {
		s = world.Must(world.Set(s, id, flat2, [2]float32{r.Float32()*32 - 8, r.Float32()*32 - 8}))
	}
	s = c.Build(s, nil)
	v := c.In(s)
	for range 500 {
		low := [2]float32{r.Float32()*32 - 8, r.Float32()*32 - 8}
		high := [2]float32{low[0] + r.Float32()*31, low[1] + r.Float32()*31}
		var want []int
		for e, p := range v.Points() {
			inside := true
			for axis, x := range p {
				if x < low[axis] {
					x += 32
				}
				inside = inside && x <= high[axis]
			}
			if inside {
				want = append(want, e)
			}
		}
		require.Equal(t, want, slices.Sorted(v.Rect(low, high)), "%v to %v", low, high)
	}
}

// checkNearest compares the nearest few within a radius with brute force.
func (m *model[T]) checkNearest(t *testing.T, at [3]float64, k int, radius float64) {
	t.Helper()
	point := m.at(at)
	got := m.view.Nearest(make([]space.Hit, k), point, radius)
	var want []space.Hit
	if finite(m.coordinates(point)) {
		for i, q := range m.view.Points() {
			if square := m.square(point, q); square <= float64(radius*radius) {
				want = append(want, space.Hit{Entry: i, Square: square})
			}
		}
	}
	slices.SortStableFunc(want, func(a, b space.Hit) int {
		switch {
		case a.Square < b.Square:
			return -1
		case a.Square > b.Square:
			return 1
		}
		return a.Entry - b.Entry
	})
	want = want[:min(k, len(want))]
	require.Equal(t, fmt.Sprint(want), fmt.Sprint(got), "%d nearest to %v, in %v", k, point, radius)
}

// giveAll returns so many values to the first objects of a batch.
func giveAll(s world.State, v space.View[[2]float32], objects, values int) {
	for b := range give.In(s) {
		space.Return(world.Column(b, speed)[:objects], v, b, make([][2]float32, values))
	}
}

// Values per entry go back to their objects, in batches of every shape, and to no others.
func TestValuesReturnToTheirObjects(t *testing.T) {
	const n = 1500
	s := crowd(t, n)
	r := rand.New(rand.NewPCG(5, 6))
	nan := float32(math.NaN())
	for i, id := range slices.Collect(all.Objects(s)) {
		var err error
		at := [2]float32{r.Float32() * 90, r.Float32() * 90}
		switch lot := r.IntN(9); {
		case i%300 < 90 && lot%2 == 0: // holes
			s, err = world.Dispose(s, id)
		case lot == 7:
			s, err = world.Set(s, id, flat2, [2]float32{nan, 0})
		case lot == 8:
			s, err = world.Add(s, id, ghost)
		default:
			s, err = world.Set(s, id, flat2, at)
		}
		require.NoError(t, err)
	}
	for range 5 { // with a speed, but no position
		s, _ = world.Must2(world.CreateWith(s, speed))
	}
	o := space.Options{Query: world.NewQuery(world.With(flat2), world.Without(ghost)), Parts: 3}
	c := cellsOf(t, s, o)
	for round := range 3 {
		s = c.Build(s, nil)
		v := c.In(s)
		turns, want := make([][2]float32, v.Len()), map[world.GameObject][2]float32{}
		for id := range give.Objects(s) {
			want[id] = world.Must(world.Get(s, id, speed))
		}
		for e, id := range v.IDs() {
			turns[e] = [2]float32{float32(e), float32(round + 1)}
			want[id] = turns[e]
		}
		for b := range give.In(s) {
			space.Return(world.Column(b, speed), v, b, turns)
		}
		for id, turn := range want {
			require.Equal(t, turn, world.Must(world.Get(s, id, speed)), "object %v", id)
		}
		for id := range all.Objects(s) { // others are in the cells the next time
			if r.IntN(10) == 0 {
				s = world.Must(world.Set(s, id, flat2, [2]float32{nan, nan}))
			}
		}
	}
}

// Tasks that share the entries come to the same bytes, for any number of workers.
func TestTasksSearchInParts(t *testing.T) {
	const n = 1000 // in a single cell, each looks at all
	s := crowd(t, n)
	digests := map[uint64]bool{}
	for name, o := range boxes(2) {
		c := cellsOf(t, s, o)
		for _, workers := range []int{1, 2, 16} {
			w := systems.NewWorkers(workers)
			s = c.Build(s, w)
			turns := make([][2]float32, n)
			var tasks []systems.Task
			for part := range workers {
				tasks = append(tasks, systems.Task{Run: []func(world.State) world.State{
					func(s world.State) world.State {
						v := c.In(s)
						points := v.Points()
						for e := n * part / workers; e < n*(part+1)/workers; e++ {
							for o := range v.Near(points[e], 1.5) {
								turns[e][0] += points[o][0]
							}
						}
						return s
					},
				}})
			}
			s = systems.RunTasks(s, w, tasks)
			for b := range give.In(s) {
				space.Return(world.Column(b, speed), c.In(s), b, turns)
			}
			w.Close()
			digests[world.Digest(s)] = true
		}
		assert.Len(t, digests, 1, name)
		clear(digests)
	}
}
