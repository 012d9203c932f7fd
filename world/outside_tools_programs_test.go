//go:build tools

package world_test

// outsideKinds gives each object 8 of 300 kinds, and disposes of objects: what they had is gone, and
// what others have stays.
const outsideKinds = `package main

import (
	"fmt"
	"os"
	"strconv"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

const (
	many    = 300
	objects = 1000
	each    = 8
)

var (
	kinds  [many]layout.Kind
	fields [many]layout.Field[uint32]
)

func main() {
	counts := world.Counts{GameObjects: objects}
	for k := range kinds {
		fields[k] = layout.NewField("value", uint32(k))
		kinds[k] = layout.NewKind("kind"+strconv.Itoa(k), fields[k])
		counts.Kinds = append(counts.Kinds, kinds[k].Count(objects))
	}
	s := must(world.CreateState(counts))
	ids := make([]world.GameObject, objects)
	for i := range ids {
		s, ids[i] = add(s, i)
	}
	gone := map[int]bool{}
	for i := 0; i < objects; i += 7 {
		gone[i] = true
		s = must(world.DisposeGameObject(s, ids[i]))
	}
	check(s, ids, gone)
	for k := range kinds {
		want := 0
		for i := range ids {
			if !gone[i] && has(i, k) {
				want++
			}
		}
		expect(tool.Mounted(s, kinds[k]) == want, "kind", k, "is on", tool.Mounted(s, kinds[k]), "not", want)
	}
	for i := objects - 1; i >= 0; i-- {
		if gone[i] {
			s, ids[i] = add(s, i)
		}
	}
	check(s, ids, nil)
	for _, id := range ids {
		s = must(world.DisposeGameObject(s, id))
	}
	for k := range kinds {
		expect(tool.Mounted(s, kinds[k]) == 0, "kind", k, "is left on objects")
		for row, v := range world.View(s, fields[k]) {
			expect(v == uint32(k), "kind", k, "row", row, "is not back to the default")
		}
	}
	world.Close(s)
	fmt.Println("ok")
}

// has says which kinds the object of a number has: 8, spread over all words of kinds.
func has(i, k int) bool { return (k+many-i%many)%many%37 == 0 && (k+many-i%many)%many < 37*each }

func add(s world.State, i int) (world.State, world.GameObject) {
	s, id, err := world.CreateGameObject(s)
	expect(err == nil, err)
	n := 0
	for k := range kinds {
		if has(i, k) {
			s, err = world.Add(s, id, kinds[k])
			expect(err == nil, err)
			v := must(world.Get(s, id, fields[k]))
			expect(v == uint32(k), "a new component has", v)
			s = must(world.Set(s, id, fields[k], uint32(i*many+k)))
			n++
		}
	}
	expect(n == each, "object", i, "has", n, "kinds")
	return s, id
}

func check(s world.State, ids []world.GameObject, gone map[int]bool) {
	for i, id := range ids {
		expect(world.Alive(s, id) == !gone[i], "alive", i)
		for k := range kinds {
			expect(world.Has(s, id, kinds[k]) == (!gone[i] && has(i, k)), "object", i, "kind", k)
			if !gone[i] && has(i, k) {
				v := must(world.Get(s, id, fields[k]))
				expect(v == uint32(i*many+k), "object", i, "kind", k, "has", v)
			}
		}
		if !gone[i] {
			expect(len(must(tool.KindsOf(s, id))) == each, "kinds of", i)
		}
	}
}

func must[T any](v T, err error) T {
	expect(err == nil, err)
	return v
}

func expect(ok bool, what ...any) {
	if !ok {
		fmt.Fprintln(os.Stderr, what...)
		os.Exit(1)
	}
}
`

// outsideAllocs counts what walks and lookups allocate in a program that imports world alone: what
// is inlined into it decides.
const outsideAllocs = `package main

import (
	"fmt"
	"os"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
)

var moving = world.NewQuery(world.Write(heroes.Position), world.Read(heroes.Velocity))

func move(s world.State) world.State {
	for b := range moving.In(s) {
		p, v := world.Column(b, heroes.Position), world.Column(b, heroes.Velocity)
		for i := range p {
			p[i][1] += v[i]
		}
	}
	return s
}

func main() {
	const n = 1000
	s, err := world.CreateState(world.Counts{Kinds: layout.Kinds(heroes.Position.Count(n), heroes.Velocity.Count(n))})
	ids := make([]world.GameObject, n)
	for i := range ids {
		if err == nil {
			s, ids[i], err = world.CreateGameObject(s)
		}
	}
	for i := range ids {
		if err == nil {
			s, err = world.Add(s, ids[i*7%n], heroes.Position)
		}
		if err == nil && i%3 != 0 {
			s, err = world.Add(s, ids[i], heroes.Velocity)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	seen, values, places := 0, make([][3]float32, n), make([]*[3]float32, n)
	found := make([]world.GameObject, 0, n)
	for name, run := range map[string]func(){
		"walk": func() { s = move(s) },
		"walk, and break": func() {
			for range moving.In(s) {
				break
			}
		},
		"count":   func() { seen += moving.Count(s) },
		"MoveAll": func() { s = heroes.MoveAll(s) },
		"reader": func() {
			r := world.Open(s, heroes.Position)
			for _, id := range ids {
				if at, ok := r.At(id); ok && at[0] > 0 {
					seen++
				}
			}
		},
		"writer": func() {
			var w world.Writer[[3]float32]
			w = world.OpenWrite(s, heroes.Position)
			for _, id := range ids {
				w.At(id)[0]++
			}
		},
		"many by id": func() {
			r := world.Open(s, heroes.Position)
			seen += r.AtN(values, ids)
			var w world.Writer[[3]float32]
			w = world.OpenWrite(s, heroes.Position)
			seen += w.AtN(places, ids)
		},
		"ids of batches": func() {
			for b := range moving.In(s) {
				found = b.AppendIDs(found[:0])
			}
		},
		"one value": func() {
			at, _ := world.Get(s, ids[0], heroes.Position)
			s, _ = world.Set(s, ids[0], heroes.Position, at)
		},
		"game objects": func() {
			for id := range world.GameObjects(s) {
				seen += int(id.Index())
			}
		},
		"all": func() {
			for row := range world.All(s, heroes.Position) {
				seen += int(row)
			}
		},
	} {
		if perRun := testing.AllocsPerRun(20, run); perRun != 0 {
			fmt.Fprintln(os.Stderr, name, "allocates", perRun, "times")
			os.Exit(1)
		}
	}
	fmt.Println("ok")
}
`

// outsideLookups reads and writes by id.
const outsideLookups = `package main

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

type place struct{ X, Y float64 }

var at = layout.NewComponent[place]("place")

func main() {
	s := world.Must(world.CreateState(world.Counts{Kinds: layout.Kinds(at)}))
	s, id, err := world.CreateWith(s, at)
	v, _ := world.Get(s, id, at)
	reader := world.Open(s, at)
	w, _ := reader.At(id)
	writer := world.OpenWrite(s, at)
	writer.At(id).X = v.X + w.Y
	reader.AtN(make([]place, 1), []world.GameObject{id})
	writer.AtN(make([]*place, 1), []world.GameObject{id})
	s, _ = world.Set(s, id, at, v)
	s, _, _ = world.Edit(s, id, at)
	s = world.SetRow(s, at, 0, world.GetRow(s, at, 0))
	fmt.Println(s, err)
}
`
