package world_test

// outsideCells fills a world to the last row, disposes of every third object and creates them again,
// walks it, and checks every cell, by object and by row.
const outsideCells = `package main

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
)

type flags uint16

const rows = 5000

var (
	spot   = layout.NewField("spot", [3]float32{1, 2, 3})
	state  = layout.NewField("state", flags(5))
	body   = layout.NewKind("body", spot, state)
	bodies = systems.NewQuery(systems.Write(body))
)

func main() {
	s := world.Must(world.CreateState(world.Counts{GameObjects: rows, Kinds: []layout.Count{body.Count(rows)}}))
	ids := make([]world.GameObject, rows)
	add := func(i int) {
		s, ids[i] = world.Must2(world.CreateWith(s, body))
		s = world.Must(world.Set(s, ids[i], spot, [3]float32{float32(i), 0.25}))
		s = world.Must(world.Set(s, ids[i], state, world.Must(world.Get(s, ids[i], state))+flags(i)))
	}
	for i := range ids {
		add(i)
	}
	for i := 0; i < rows; i += 3 {
		s = world.Must(world.Dispose(s, ids[i]))
	}
	for i := rows - 2; i >= 0; i -= 3 {
		add(i)
	}
	for b := range bodies.In(s) {
		p, c := systems.Column(b, spot), systems.Column(b, state)
		for i := range p {
			p[i][1]++
			c[i]++
		}
	}
	p, f := world.View(s, spot), world.View(s, state)
	for i, id := range ids {
		row, want := world.Must(world.RowOf(s, id, body)), [3]float32{float32(i), 1.25}
		if p[row] != want || f[row] != flags(i)+6 || world.Must(world.Get(s, id, spot)) != want {
			panic(fmt.Sprint("object ", i, " has ", p[row], " and ", f[row]))
		}
	}
	world.Close(s)
	fmt.Println("ok")
}
`
