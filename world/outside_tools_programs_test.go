//go:build tools

package world_test

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
			s, ids[i], err = world.Create(s)
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
			r := world.ReaderOf(s, heroes.Position)
			for _, id := range ids {
				if at, ok := r.Get(id); ok && at[0] > 0 {
					seen++
				}
			}
		},
		"writer": func() {
			var w world.Writer[[3]float32]
			w = world.WriterOf(s, heroes.Position)
			for _, id := range ids {
				w.At(id)[0]++
			}
		},
		"many by id": func() {
			r := world.ReaderOf(s, heroes.Position)
			seen += r.AtN(values, ids)
			var w world.Writer[[3]float32]
			w = world.WriterOf(s, heroes.Position)
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
	reader := world.ReaderOf(s, at)
	w, _ := reader.Get(id)
	writer := world.WriterOf(s, at)
	writer.At(id).X = v.X + w.Y
	reader.AtN(make([]place, 1), []world.GameObject{id})
	writer.AtN(make([]*place, 1), []world.GameObject{id})
	s, _ = world.Set(s, id, at, v)
	s, _, _ = world.Edit(s, id, at)
	s = world.SetRow(s, at, 0, world.GetRow(s, at, 0))
	fmt.Println(s, err)
}
`
