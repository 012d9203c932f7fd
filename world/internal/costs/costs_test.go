// Package costs_test measures what each mechanism that docs/RATIONALE.md asks about saves: beside the
// way that the library does it stands the way that would be left without it.
package costs_test

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

var (
	place  = layout.NewComponent[[3]float32]("place")
	speed  = layout.NewComponent[[3]float32]("speed")
	frozen = layout.NewMark("frozen")

	tree   = world.NewRecipe("tree", place)
	bullet = world.NewRecipe("bullet", place, speed)

	flying  = world.NewQuery(world.Write(place), world.Read(speed))
	thawed  = world.NewQuery(world.Write(place), world.Read(speed), world.Without(frozen))
	rowWise = thawed.And(world.RowWise())
)

func walk(s world.State, q world.Query) {
	for b := range q.In(s) {
		p := layout.Flat[float32](place, world.Column(b, place))
		v := layout.Flat[float32](speed, world.Column(b, speed))
		for i := range p {
			p[i] += v[i]
		}
	}
}

func perObject(b *testing.B, n int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/object")
}

// BenchmarkSlabs walks 50,000 bullets, after each object of a world of 100,000 was disposed and
// replaced twenty times by a tree or a bullet at random: by recipes, whose objects have slabs; and
// without recipes, and so without slabs.
func BenchmarkSlabs(b *testing.B) {
	const n, rounds = 100_000, 20
	for _, slabs := range []bool{true, false} {
		b.Run(map[bool]string{true: "with", false: "without"}[slabs], func(b *testing.B) {
			s := world.Must(world.CreateState(world.Counts{
				GameObjects: 3 * n, Kinds: layout.Kinds(place.Count(3*n), speed.Count(3*n)),
				Recipes: []world.Recipe{tree, bullet},
			}))
			r := rand.New(rand.NewPCG(1, 2))
			ids := make([]world.GameObject, n)
			for round := range rounds + 1 {
				for range n {
					i := r.IntN(n)
					if round > 0 && ids[i] != 0 {
						s = world.Must(world.Dispose(s, ids[i]))
						ids[i] = 0
					}
					if ids[i] == 0 {
						s, ids[i] = create(s, slabs, r.IntN(2) == 0)
					}
				}
			}
			for b.Loop() {
				walk(s, flying)
			}
			perObject(b, flying.Count(s))
			world.Close(s)
		})
	}
}

func create(s world.State, slabs, isBullet bool) (world.State, world.GameObject) {
	var id world.GameObject
	var err error
	switch {
	case slabs && isBullet:
		s, id, err = world.Spawn(s, bullet)
	case slabs:
		s, id, err = world.Spawn(s, tree)
	case isBullet:
		s, id, err = world.CreateWith(s, place, speed)
	default:
		s, id, err = world.CreateWith(s, place)
	}
	if err != nil {
		panic(err)
	}
	return s, id
}

// BenchmarkRowWise walks 100,000 objects, of which one in eight is frozen, by a query that is
// row-wise, and by one that is not.
func BenchmarkRowWise(b *testing.B) {
	const n = 100_000
	for _, way := range []struct {
		name  string
		query world.Query
	}{{"with", rowWise}, {"without", thawed}} {
		b.Run(way.name, func(b *testing.B) {
			s := world.Must(world.CreateState(world.Counts{
				Kinds:   layout.Kinds(place.Count(n), speed.Count(n), frozen),
				Recipes: []world.Recipe{bullet},
			}))
			s = world.Must(world.SpawnN(s, bullet, n, nil))
			r, c := rand.New(rand.NewPCG(1, 2)), world.Record(s)
			for id := range world.GameObjects(s) {
				if r.IntN(8) == 0 {
					c.Add(id, frozen)
				}
			}
			s = world.Must(world.Apply(s))
			for b.Loop() {
				walk(s, way.query)
			}
			perObject(b, way.query.Count(s))
			world.Close(s)
		})
	}
}

// BenchmarkCommitted spawns the first 100,000 objects of a new world one by one, whose memory was
// committed at its creation, and whose was not.
func BenchmarkCommitted(b *testing.B) {
	const n = 100_000
	for _, with := range []int{n + n/8, 0} { // slabs have some room
		b.Run(map[bool]string{true: "with", false: "without"}[with != 0], func(b *testing.B) {
			for range b.N {
				b.StopTimer()
				s := world.Must(world.CreateState(world.Counts{
					Kinds: layout.Kinds(place, speed), Recipes: []world.Recipe{bullet}, Committed: with,
				}))
				b.StartTimer()
				for range n {
					s, _ = create(s, true, true)
				}
				b.StopTimer()
				world.Close(s)
			}
			perObject(b, n)
		})
	}
}

// BenchmarkIncremental takes a snapshot of a world of 100,000 objects after one of them was written:
// by stamps, which Advance separates; and of all that is used, as where the tick stands still.
func BenchmarkIncremental(b *testing.B) {
	const n = 100_000
	for _, by := range []string{"with", "without"} {
		b.Run(by, func(b *testing.B) {
			s := world.Must(world.CreateState(world.Counts{
				Kinds:   layout.Kinds(place.Count(n), speed.Count(n)),
				Recipes: []world.Recipe{bullet},
			}))
			s = world.Must(world.SpawnN(s, bullet, n, nil))
			id, _ := flying.First(s)
			p := world.Must(world.NewSnapshot(s))
			var err error
			for b.Loop() {
				if by == "with" {
					s = world.Advance(s)
				}
				if s, err = world.Set(s, id, place, [3]float32{1}); err == nil {
					err = p.Take(s)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
			p.Close()
			world.Close(s)
		})
	}
}

// BenchmarkMounted finds the runs of 100,000 rows, of which none, or one in eight, is free: by a bit
// per row, and by a number per row that says whose it is.
func BenchmarkMounted(b *testing.B) {
	for _, free := range []string{"none", "eighth"} {
		mounted, owners := rowsOf(100_000, free == "eighth")
		sum := 0
		b.Run(free+"/with", func(b *testing.B) {
			for b.Loop() {
				for _, x := range mounted {
					for x != 0 {
						start := bits.TrailingZeros64(x)
						run := bits.TrailingZeros64(^(x >> start))
						sum += run
						x &^= (1<<run - 1) << start
					}
				}
			}
			perObject(b, len(owners))
		})
		b.Run(free+"/without", func(b *testing.B) {
			for b.Loop() {
				for i := 0; i < len(owners); i++ {
					start := i
					for i < len(owners) && owners[i] < 1<<31 {
						i++
					}
					sum += i - start
				}
			}
			perObject(b, len(owners))
		})
		if sum == 0 {
			b.Fatal("nothing is mounted")
		}
	}
}

// rowsOf returns n rows as bits and as owners.
func rowsOf(n int, holes bool) (mounted []uint64, owners []uint32) {
	r := rand.New(rand.NewPCG(1, 2))
	mounted, owners = make([]uint64, (n+63)/64), make([]uint32, n)
	for i := range n {
		if owners[i] = uint32(i); holes && r.IntN(8) == 0 {
			owners[i] = 1 << 31
			continue
		}
		mounted[i/64] |= 1 << (i % 64)
	}
	return mounted, owners
}

var many = func() (list []layout.Kind) {
	for i := range 300 {
		list = append(list, layout.NewMark(fmt.Sprint("mark", i)))
	}
	return list
}()

// BenchmarkKindsPerBlock disposes objects of two kinds in a world of 302: as it is, which asks the
// kinds that a block has, and with a question to each of the 302 kinds before, as would be needed.
func BenchmarkKindsPerBlock(b *testing.B) {
	const n = 1_000
	for _, with := range []bool{true, false} {
		b.Run(map[bool]string{true: "with", false: "without"}[with], func(b *testing.B) {
			kinds := layout.Kinds(place.Count(n), speed.Count(n))
			for _, k := range many {
				kinds = append(kinds, layout.Kinds(k)...)
			}
			s := world.Must(world.CreateState(world.Counts{
				GameObjects: n, Kinds: kinds, Recipes: []world.Recipe{bullet},
			}))
			has := 0
			for b.Loop() {
				var id world.GameObject
				var err error
				if s, id, err = world.Spawn(s, bullet); err != nil {
					b.Fatal(err)
				}
				if !with {
					for _, k := range many {
						if world.Has(s, id, k) {
							has++
						}
					}
				}
				s = world.Must(world.Dispose(s, id))
			}
			if has > 0 {
				b.Fatal("nobody was marked")
			}
			world.Close(s)
		})
	}
}
