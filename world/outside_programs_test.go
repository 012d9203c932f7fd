package world_test

// outsideCells fills a world to the last row, disposes of every third object and creates them again,
// walks it, and checks every cell, by object and by row.
const outsideCells = `package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world"
)

type flags uint16

const rows = 5000

var (
	spot   = layout.NewField("spot", [3]float32{1, 2, 3})
	team   = layout.NewField[uint8]("team", 4)
	state  = layout.NewField("state", flags(5))
	body   = layout.NewKind("body", spot, team, state)
	bodies = systems.NewQuery(systems.Write(body))
)

func main() {
	s := must(world.CreateState(world.Counts{GameObjects: rows, Kinds: []layout.Count{body.Count(rows)}}))
	ids := make([]world.GameObject, rows)
	for i := range ids {
		s, ids[i] = add(s, i)
	}
	_, _, err := world.Create(s)
	expect(errors.Is(err, world.ErrTooMany), "the world is full:", err)
	_, _, err = world.CreateComponent(s, body)
	expect(errors.Is(err, world.ErrFull), "the kind is full:", err)
	for i := 0; i < rows; i += 3 {
		s = must(world.Dispose(s, ids[i]))
		expect(!world.Alive(s, ids[i]), "dead", i)
	}
	for i := rows - 2; i >= 0; i -= 3 {
		s, ids[i] = add(s, i)
	}
	for b := range bodies.In(s) {
		p, c := systems.Column(b, spot), systems.Column(b, state)
		for i := range p {
			p[i][1]++
			c[i]++
		}
	}
	p, t, f := world.View(s, spot), world.View(s, team), world.View(s, state)
	seen := map[layout.Row]bool{}
	for i, id := range ids {
		want := cell(i)
		want.spot[1]++
		want.state++
		check(s, id, want)
		row := must(world.RowOf(s, id, body))
		expect(cells{p[row], t[row], f[row]} == want, "row", row)
		seen[row] = true
	}
	expect(len(seen) == rows, "every object has a row of its own")
	world.Close(s)
	fmt.Println("ok")
}

type cells struct {
	spot  [3]float32
	team  uint8
	state flags
}

func cell(i int) cells {
	f := float32(i)
	return cells{[3]float32{f, f + 0.25, -f}, uint8(i * 7), flags(i*13 + 1)}
}

// add creates object i, which has the defaults before it has its cell.
func add(s world.State, i int) (world.State, world.GameObject) {
	s, id, err := world.Create(s)
	expect(err == nil, err)
	s = must(world.Add(s, id, body))
	check(s, id, cells{[3]float32{1, 2, 3}, 4, 5})
	want := cell(i)
	s = must(world.Set(s, id, spot, want.spot))
	s = must(world.Set(s, id, team, want.team))
	return must(world.Set(s, id, state, want.state)), id
}

func check(s world.State, id world.GameObject, want cells) {
	got := cells{
		must(world.Get(s, id, spot)), must(world.Get(s, id, team)), must(world.Get(s, id, state)),
	}
	expect(got == want, "object", id, "has", got, "and should have", want)
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
