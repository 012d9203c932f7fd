package main

import (
	"github.com/hajimehoshi/ebiten/v2"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

var (
	place = layout.NewComponent[[2]float32]("place") // pixels; right, down
	speed = layout.NewComponent[[2]float32]("speed") // pixels per frame
	bunny = world.NewRecipe("bunny", place, speed)

	moving   = world.NewQuery(world.Write(place), world.Read(speed))
	falling  = world.NewQuery(world.Write(speed))
	bouncing = world.NewQuery(world.Read(place), world.Write(speed))
	shown    = world.NewQuery(world.Read(place))
)

// columns is flatecs' way: three systems over columns, and as few calls of Ebitengine as can be.
type columns struct {
	state    world.State
	image    *ebiten.Image
	vertices []ebiten.Vertex
	indices  []uint16
}

const atOnce = (1 << 16) / 4 // quads of a call: indices are uint16

func newColumns(bunnies int, image *ebiten.Image) (*columns, error) {
	s, err := world.CreateState(world.Counts{
		Kinds:   layout.Kinds(place.Count(bunnies), speed.Count(bunnies)),
		Recipes: []world.Recipe{bunny}, Seed: 1,
	})
	if err != nil {
		return nil, err
	}
	s, dice := world.NextStream(s)
	s, err = world.SpawnN(s, bunny, bunnies, func(b world.Batch) {
		at, v := world.Column(b, place), world.Column(b, speed)
		for i := range at {
			at[i] = [2]float32{dice.Range(0, width), dice.Range(0, height)}
			v[i] = [2]float32{dice.Range(-2, 2), dice.Range(-2, 2)}
		}
	})
	c := &columns{state: s, image: image}
	side := float32(image.Bounds().Dx())
	for i := range 4 * atOnce {
		c.vertices = append(c.vertices, ebiten.Vertex{
			SrcX: side * float32(i&1), SrcY: side * float32(i>>1&1),
			ColorR: 1, ColorG: 1, ColorB: 1, ColorA: 1,
		})
	}
	for i := range atOnce {
		a := uint16(4 * i)
		c.indices = append(c.indices, a, a+1, a+2, a+1, a+2, a+3)
	}
	return c, err
}

func (c *columns) update() {
	for b := range moving.In(c.state) {
		at, v := world.Column(b, place), world.Column(b, speed)
		for i := range at {
			at[i][0] += v[i][0]
			at[i][1] += v[i][1]
		}
	}
	for b := range falling.In(c.state) {
		v := world.Column(b, speed)
		for i := range v {
			v[i][1] += gravity
		}
	}
	for b := range bouncing.In(c.state) {
		at, v := world.Column(b, place), world.Column(b, speed)
		for i := range at {
			v[i] = bounced(at[i], v[i])
		}
	}
	c.state = world.Advance(c.state)
}

func (c *columns) draw(screen *ebiten.Image) {
	side := float32(c.image.Bounds().Dx())
	for b := range shown.In(c.state) {
		for at := world.Column(b, place); len(at) > 0; {
			n := min(len(at), atOnce)
			for i, p := range at[:n] {
				corners := c.vertices[4*i : 4*i+4]
				left, top := p[0], p[1]
				right, bottom := left+side, top+side
				corners[0].DstX, corners[0].DstY = left, top
				corners[1].DstX, corners[1].DstY = right, top
				corners[2].DstX, corners[2].DstY = left, bottom
				corners[3].DstX, corners[3].DstY = right, bottom
			}
			screen.DrawTriangles(c.vertices[:4*n], c.indices[:6*n], c.image, nil)
			at = at[n:]
		}
	}
}
