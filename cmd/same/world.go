package main

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

// A vector has two components.
type vector struct{ X, Y float32 }

var (
	place    = layout.NewComponent[vector]("place") // 0 is the ridge of a bowl with two valleys
	speed    = layout.NewComponent[vector]("speed") // per second
	marble   = world.NewRecipe("marble", place, speed)
	moving   = world.NewQuery(world.Write(place, speed))
	pair     = layout.NewField[vector]("pair") // cosine and sine of the tide's angle
	tide     = world.NewResource("tide", pair)
	scenario = world.Counts{
		GameObjects: objects, Kinds: layout.Kinds(place, speed), Recipes: []world.Recipe{marble},
		Resources: []world.ResourceKind{tide}, Seed: 1, Random: true,
	}
)

const (
	objects = 10_000
	rebirth = 16                 // ticks between replacements of a marble
	dt      = float32(1.0 / 32)  // seconds per tick
	force   = float32(0.4)       // of the tide
	cosine  = float32(0.9992001) // the tide turns by 0.04 per tick
	sine    = float32(0.03998933)
)

// begin creates the world before its first tick: marbles at random places, at rest.
func begin() (world.State, error) {
	s, err := world.CreateState(scenario)
	if err != nil {
		return s, err
	}
	s, r := world.NextStream(s)
	s = world.SetResource(s, pair, vector{1, 0})
	return world.SpawnN(s, marble, objects, func(b world.Batch) {
		for i := range b.Len() {
			world.Column(b, place)[i] = vector{r.Range(-1, 1), r.Range(-1, 1)}
		}
	})
}

// step takes a tick. Each marble rolls in a bowl with two valleys, which the tide tilts: Duffing's
// oscillator without friction, in which the smallest difference grows. Products are rounded before
// they are added, so that no compiler fuses them. At intervals a marble is disposed, and another is
// spawned in its place.
func step(s world.State) (world.State, error) {
	s = world.Advance(s)
	t := world.Resource(s, pair)
	t = vector{
		float32(t.X*cosine) - float32(t.Y*sine), float32(t.X*sine) + float32(t.Y*cosine),
	}
	long := float32(1.5) - float32(0.5*(float32(t.X*t.X)+float32(t.Y*t.Y))) // keeps its length at 1
	t = vector{t.X * long, t.Y * long}
	s = world.SetResource(s, pair, t)
	for b := range moving.In(s) {
		places, speeds := world.Column(b, place), world.Column(b, speed)
		for i, p := range places {
			v := speeds[i]
			v.X += float32(dt * (p.X - float32(p.X*float32(p.X*p.X)) + float32(force*t.X)))
			v.Y += float32(dt * (p.Y - float32(p.Y*float32(p.Y*p.Y)) + float32(force*t.Y)))
			places[i] = vector{p.X + float32(dt*v.X), p.Y + float32(dt*v.Y)}
			speeds[i] = v
		}
	}
	if world.Tick(s)%rebirth != 0 {
		return s, nil
	}
	s, r := world.NextStream(s)
	return replace(s, nth(s, r.IntN(objects)))
}

// nth returns an object by its number in the walk.
func nth(s world.State, n int) (id world.GameObject) {
	for b := range moving.In(s) {
		if n >= 0 && n < b.Len() {
			id = b.ID(n)
		}
		n -= b.Len()
	}
	return id
}

// replace disposes a marble, and spawns one that continues its movement.
func replace(s world.State, id world.GameObject) (world.State, error) {
	at, err := world.Get(s, id, place)
	if err != nil {
		return s, err
	}
	v, err := world.Get(s, id, speed)
	if err != nil {
		return s, err
	}
	if s, err = world.Dispose(s, id); err != nil {
		return s, err
	}
	s, _, err = world.Spawn(s, marble, place.Value(at), speed.Value(v))
	return s, err
}
