package world_test

// outsideCells fills a world to the last row, disposes of every third object and creates them again,
// and checks every cell after each step.
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
		s, ids[i] = add(s)
		check(s, ids[i], fresh)
		s = set(s, ids[i], i)
	}
	_, _, err := world.Create(s)
	expect(errors.Is(err, world.ErrTooMany), "the world is full:", err)
	_, _, err = world.CreateComponent(s, body)
	expect(errors.Is(err, world.ErrFull), "the kind is full:", err)
	all(s, ids)

	for i := 0; i < rows; i += 3 {
		s = must(world.Dispose(s, ids[i]))
	}
	for i := range ids {
		expect(world.Alive(s, ids[i]) == (i%3 != 0), "alive", i)
	}
	for i := rows - 1; i >= 0; i-- {
		if i%3 == 0 {
			s, ids[i] = add(s)
			check(s, ids[i], fresh)
			s = set(s, ids[i], i)
		}
	}
	all(s, ids)

	walked := 0
	for b := range bodies.In(s) {
		p, c := systems.Column(b, spot), systems.Column(b, state)
		for i := range p {
			p[i][1]++
			c[i]++
		}
		walked += b.Len()
	}
	expect(walked == rows, "walked", walked)
	for i, id := range ids {
		want := cell(i)
		want.spot[1]++
		want.state++
		check(s, id, want)
	}
	world.Close(s)
	fmt.Println("ok")
}

type cells struct {
	spot  [3]float32
	team  uint8
	state flags
}

var fresh = cells{[3]float32{1, 2, 3}, 4, 5}

func cell(i int) cells {
	f := float32(i)
	return cells{[3]float32{f, f + 0.25, -f}, uint8(i * 7), flags(i*13 + 1)}
}

func add(s world.State) (world.State, world.GameObject) {
	s, id, err := world.Create(s)
	expect(err == nil, err)
	s, err = world.Add(s, id, body)
	expect(err == nil, err)
	return s, id
}

func set(s world.State, id world.GameObject, i int) world.State {
	want := cell(i)
	s = must(world.Set(s, id, spot, want.spot))
	s = must(world.Set(s, id, team, want.team))
	return must(world.Set(s, id, state, want.state))
}

func check(s world.State, id world.GameObject, want cells) {
	got := cells{
		must(world.Get(s, id, spot)), must(world.Get(s, id, team)), must(world.Get(s, id, state)),
	}
	expect(got == want, "object", id, "has", got, "and should have", want)
}

// all checks every object by id, and every row of the columns.
func all(s world.State, ids []world.GameObject) {
	p, t, f := world.View(s, spot), world.View(s, team), world.View(s, state)
	expect(len(p) == rows && len(t) == rows && len(f) == rows, "the columns' lengths")
	seen := map[layout.Row]bool{}
	for i, id := range ids {
		check(s, id, cell(i))
		row := must(world.RowOf(s, id, body))
		got := cells{p[row], t[row], f[row]}
		expect(got == cell(i), "row", row, "has", got)
		seen[row] = true
	}
	expect(len(seen) == rows, "every object has a row of its own")
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
