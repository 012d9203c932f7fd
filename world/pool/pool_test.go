package pool_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/pool"
)

type vec struct{ X, Y int32 }

var (
	place   = layout.NewComponent[vec]("place")
	speed   = layout.NewComponent("speed", vec{1, 2})
	health  = layout.NewComponent[int32]("health")
	ball    = world.NewRecipe("ball", place, speed)
	moving  = world.NewQuery(world.Write(place), world.Read(speed))
	texture = world.NewShared("texture", new(int))
)

// match returns a world of three kinds and 100 objects, and room for no more.
func match(tb testing.TB, shared ...world.ResourceKind) world.State {
	tb.Helper()
	s := world.Must(world.CreateState(world.Counts{
		GameObjects: 100, Kinds: layout.Kinds(place, speed, health),
		Resources: shared, Recipes: []world.Recipe{ball}, Queries: []world.Query{moving}, Seed: 1,
	}))
	tb.Cleanup(func() { systems.Discard(s) })
	s = world.Must(world.SpawnN(s, ball, 99, nil))
	return s
}

func newPool(tb testing.TB, s world.State, n int) *pool.Pool {
	tb.Helper()
	p := world.Must(pool.New(s, n))
	tb.Cleanup(p.Close)
	return p
}

// move is a tick.
func move(_ int, s world.State) (world.State, error) {
	s = world.Advance(s)
	for b := range moving.In(s) {
		at, by := world.Column(b, place), world.Column(b, speed)
		for i := range at {
			at[i].X += by[i].X
			at[i].Y += by[i].Y
		}
	}
	return s, nil
}

// play changes values, structure, random numbers and recorded commands.
func play(s world.State, what int) (world.State, error) {
	s, _ = move(0, s)
	s, r := world.NextStream(s)
	id := world.GameObject(r.IntN(100))
	var err error
	switch what % 4 {
	case 0:
		if world.Alive(s, id) {
			s, err = world.Dispose(s, id)
		}
	case 1:
		if world.Len(s) < 100 {
			s, _, err = world.Spawn(s, ball, place.Value(vec{int32(what), 0}))
		}
	case 2:
		if world.Alive(s, id) {
			s, _, err = world.Ensure(s, id, health)
		}
	default:
		world.Record(s).Create()
	}
	return s, err
}

// TestAPoolIsAsManyClones: random calls lead to what they lead to in worlds of their own.
func TestAPoolIsAsManyClones(t *testing.T) {
	for seed := range uint64(20) {
		modelled(t, seed, match(t))
	}
	modelled(t, 99, match(t, texture.Kind()))
}

// A twin is a pool, and a separate world for each taken one.
type twin struct {
	*testing.T
	*pool.Pool
	r             *rand.Rand
	first         world.State
	taken, models []world.State
}

func modelled(t *testing.T, seed uint64, first world.State) {
	t.Helper()
	x := &twin{
		T: t, Pool: newPool(t, first, worlds), r: rand.New(rand.NewPCG(seed, 1)), first: first,
	}
	for step := range 200 {
		x.do(step)
		require.Equal(t, worlds-len(x.taken), x.Left())
		for i := range x.taken {
			require.True(t, world.Equal(x.taken[i], x.models[i]), "seed %d, step %d, world %d",
				seed, step, i)
		}
	}
	for i := range x.models { // recorded commands were copied, too
		a, err := world.Apply(x.taken[i])
		b, other := world.Apply(x.models[i])
		require.Equal(t, fmt.Sprint(other), fmt.Sprint(err))
		require.True(t, world.Equal(a, b))
		world.Close(b)
	}
}

const worlds = 4

// do does something that is random.
func (x *twin) do(step int) {
	i := x.r.IntN(len(x.taken) + 1)
	switch n := x.r.IntN(6); {
	case n == 0:
		s, err := x.Take()
		if len(x.taken) == worlds {
			require.ErrorIs(x, err, pool.ErrTaken)
			return
		}
		require.NoError(x, err)
		x.taken = append(x.taken, s)
		x.models = append(x.models, world.Must(world.Clone(x.first)))
	case n == 1:
		x.fork(i, x.r.IntN(3))
	case n > 3:
		tick := func(i int, s world.State) (world.State, error) { return play(s, step+i) }
		require.NoError(x, x.Step(x.taken, 1+step%3, tick))
		for i := range x.models {
			x.models[i] = world.Must(play(x.models[i], step+i))
		}
	case i == len(x.taken):
	case n == 2:
		x.Put(x.taken[i])
		world.Close(x.models[i])
		last := len(x.taken) - 1
		x.taken[i], x.models[i] = x.taken[last], x.models[last]
		x.taken, x.models = x.taken[:last], x.models[:last]
	default:
		j := x.r.IntN(len(x.taken))
		s := world.Must(pool.Copy(x.taken[j], x.taken[i]))
		if x.taken[j] = s; i != j {
			world.Close(x.models[j])
			x.models[j] = world.Must(world.Clone(x.models[i]))
		}
	}
}

// fork forks a world that is taken, or the first one.
func (x *twin) fork(i, n int) {
	from, model := x.first, x.first
	if i < len(x.taken) {
		from, model = x.taken[i], x.models[i]
	}
	all, err := x.Fork(x.taken, from, n)
	if len(x.taken)+n > worlds {
		require.ErrorIs(x, err, pool.ErrTaken)
		require.Len(x, all, len(x.taken))
		return
	}
	require.NoError(x, err)
	x.taken = all
	for range n {
		x.models = append(x.models, world.Must(world.Clone(model)))
	}
}

func TestStepLeadsToTheSameWithAnyWorkers(t *testing.T) {
	first := match(t)
	var want []uint64
	for _, workers := range []int{1, 2, 8, 0} {
		p := newPool(t, first, 100)
		rooms := world.Must(p.Fork(nil, first, 100))
		for step := range 20 {
			require.NoError(t, p.Step(rooms, workers, func(i int, s world.State) (world.State, error) {
				return play(s, step*i)
			}))
		}
		var got []uint64
		for _, s := range rooms {
			got = append(got, world.Digest(s))
		}
		if want == nil {
			want = got
		}
		require.Equal(t, want, got, workers)
	}
}

// TestAPanicCostsOneWorld: the others are stepped, and that world is reset.
func TestAPanicCostsOneWorld(t *testing.T) {
	for _, shared := range [][]world.ResourceKind{nil, {texture.Kind()}} {
		first := match(t, shared...)
		p := newPool(t, first, 5)
		rooms := world.Must(p.Fork(nil, first, 5))
		refused := errors.New("no")
		for range 3 {
			err := p.Step(rooms, 3, func(i int, s world.State) (world.State, error) {
				switch i {
				case 0:
					return world.State{}, nil
				case 1:
					for range moving.In(s) {
						panic("oh")
					}
				case 3:
					return world.Advance(s), refused
				}
				return move(i, s)
			})
			var one *pool.StepError
			require.ErrorAs(t, err, &one)
			assert.Equal(t, 0, one.World)
			require.ErrorIs(t, err, refused)
			require.ErrorContains(t, err, "pool: world 1: world 1: oh\n", "no stack, unless it is asked for")
			require.NotContains(t, err.Error(), "pool_test.go:")
			var panicked *systems.PanicError
			require.ErrorAs(t, err, &panicked)
			require.Equal(t, one.Error()+"\n\n"+panicked.Stack, fmt.Sprintf("%+v", one))
			require.Equal(t, one.Error(), fmt.Sprint(one))
			assert.True(t, world.Equal(first, rooms[0]))
			assert.True(t, world.Equal(first, rooms[1]))
		}
		assert.Equal(t, world.Tick(first)+3, world.Tick(rooms[2]))
		assert.Equal(t, world.Tick(first)+3, world.Tick(rooms[3]))
		for _, s := range rooms {
			p.Put(s)
		}
		assert.Equal(t, 5, p.Left())
	}
}

func TestMisuseOfAPoolIsNamed(t *testing.T) {
	first := match(t)
	p, other := newPool(t, first, 2), newPool(t, first, 1)
	s := world.Must(p.Take())
	strange := world.Must(other.Take())
	step := move
	says := func(text string, f func()) {
		t.Helper()
		defer func() { t.Helper(); assert.Contains(t, fmt.Sprint(recover()), text) }()
		f()
	}
	says("New of 0 worlds; a pool has at least one", func() { _, _ = pool.New(s, 0) })
	says("none of this pool; it was taken from another one", func() { p.Put(strange) })
	says("none of this pool", func() { _ = p.Step([]world.State{s, strange}, 1, step) })
	says("world 1, which is being stepped: it is in the list twice",
		func() { _ = p.Step([]world.State{s, s}, 1, step) })
	says("needs a function, and a number of goroutines", func() { _ = p.Step(nil, 1, nil) })
	says("needs a function, and a number of goroutines", func() { _ = p.Step(nil, -1, step) })
	says("Fork to -1 worlds", func() { _, _ = p.Fork(nil, s, -1) })
	says("is walked; end the walk first", func() {
		for range moving.In(s) {
			p.Put(s)
		}
	})
	says("not made; make one by New", func() { _, _ = new(pool.Pool).Take() })

	_, err := p.Fork(nil, s, 2)
	require.ErrorIs(t, err, pool.ErrTaken)
	require.EqualError(t, err, "pool: 1 of 2 worlds are taken, and 2 more are asked for: "+
		"no world is left; put some back, or make the pool larger")
	foreign := world.Must(world.CreateState(world.Counts{GameObjects: 1}))
	defer world.Close(foreign)
	_, err = p.Fork(nil, foreign, 1)
	require.ErrorIs(t, err, systems.ErrOther)
	assert.Equal(t, 1, p.Left())

	err = p.Step([]world.State{s}, 1, func(_ int, s world.State) (world.State, error) {
		p.Put(s)
		return s, nil
	})
	require.ErrorContains(t, err, "being stepped; put it back after Step")
	says("is none of", func() { p.Put(first) })
	says("this State was closed", func() { p.Put(s) }) // its world was reset
	p.Close()
	p.Close()
	says("was closed", func() { _, _ = p.Take() })
}

func TestAWorldIsPutBackOnce(t *testing.T) {
	p := newPool(t, match(t), 2)
	s := world.Must(p.Take())
	p.Put(s)
	for what, use := range map[string]func(){
		"Put":  func() { p.Put(s) },
		"Step": func() { _ = p.Step([]world.State{s}, 1, move) },
		"Fork": func() { _, _ = p.Fork(nil, s, 2) },
	} {
		func() {
			defer func() { assert.Contains(t, fmt.Sprint(recover()), "that was put back", what) }()
			use()
		}()
	}
	assert.Equal(t, 2, p.Left())
}

func TestTakingPuttingAndForkingDoNotAllocate(t *testing.T) {
	first := match(t)
	p := newPool(t, first, 20)
	rooms := make([]world.State, 0, 10)
	assert.Zero(t, testing.AllocsPerRun(10, func() {
		rooms, _ = p.Fork(rooms[:0], first, 9)
		s, _ := p.Take()
		rooms = append(rooms, s)
		for _, s := range rooms {
			p.Put(s)
		}
	}))
}
