package main

import (
	"math/rand/v2"

	"github.com/hajimehoshi/ebiten/v2"
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/filter"
)

type vector struct{ X, Y float32 }

type sprite struct{ image *ebiten.Image }

var (
	donburiPlace  = donburi.NewComponentType[vector]()
	donburiSpeed  = donburi.NewComponentType[vector]()
	donburiSprite = donburi.NewComponentType[sprite]()

	donburiMoving  = donburi.NewQuery(filter.Contains(donburiPlace, donburiSpeed))
	donburiFalling = donburi.NewQuery(filter.Contains(donburiSpeed))
	donburiShown   = donburi.NewQuery(filter.Contains(donburiPlace, donburiSprite))
)

// entries is Donburi's way: three systems over entries, and an image drawn for each.
type entries struct{ world donburi.World }

func newEntries(bunnies int, image *ebiten.Image) *entries {
	w := donburi.NewWorld()
	dice := rand.New(rand.NewPCG(1, 1))
	within := func(from, to float32) float32 { return from + (to-from)*dice.Float32() }
	for _, id := range w.CreateMany(bunnies, donburiPlace, donburiSpeed, donburiSprite) {
		e := w.Entry(id)
		donburiPlace.SetValue(e, vector{within(0, width), within(0, height)})
		donburiSpeed.SetValue(e, vector{within(-2, 2), within(-2, 2)})
		donburiSprite.SetValue(e, sprite{image})
	}
	return &entries{w}
}

func (w *entries) update() {
	donburiMoving.Each(w.world, func(e *donburi.Entry) {
		at, v := donburiPlace.Get(e), donburiSpeed.Get(e)
		at.X += v.X
		at.Y += v.Y
	})
	donburiFalling.Each(w.world, func(e *donburi.Entry) {
		donburiSpeed.Get(e).Y += gravity
	})
	donburiMoving.Each(w.world, func(e *donburi.Entry) {
		at, v := donburiPlace.Get(e), donburiSpeed.Get(e)
		next := bounced([2]float32{at.X, at.Y}, [2]float32{v.X, v.Y})
		v.X, v.Y = next[0], next[1]
	})
}

func (w *entries) draw(screen *ebiten.Image) {
	var options ebiten.DrawImageOptions
	donburiShown.Each(w.world, func(e *donburi.Entry) {
		at := donburiPlace.Get(e)
		options.GeoM.Reset()
		options.GeoM.Translate(float64(at.X), float64(at.Y))
		screen.DrawImage(donburiSprite.Get(e).image, &options)
	})
}
