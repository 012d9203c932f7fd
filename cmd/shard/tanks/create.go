package tanks

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/pose"
)

// What an object is born as, which makes its serial number another one.
const (
	asTank = iota + 1
	asTurret
	asGun
	asOtherGun
	asShell
	asBlast
)

// born returns the serial number of what an object gives birth to, at most once per tick and kind.
func born(parent, as, tick uint64) uint64 { return named(mix(parent ^ mix(as<<56^tick))) }

// named makes a number of all bits one that global ids can be.
func named(n uint64) uint64 { return max(n>>1, 1) }

// mix is the finalizer of SplitMix64.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// treeOf returns a tank, with two guns, and what else its hull begins with.
func (c *Scene) treeOf(number uint64, of uint8, at [2]float32, r *world.Stream) (
	family.Tree, []layout.FieldValue,
) {
	own := side.Value(of)
	top := family.Tree{
		Recipe: turrets, Values: []layout.FieldValue{own, serial.Value(born(number, asTurret, 0))},
	}
	for i, y := range []float32{-1.5, 1.5} {
		top.Children = append(top.Children, family.Tree{Recipe: guns, Values: []layout.FieldValue{
			own, pose.Local2.Value(pose.At2(gunAhead, y)),
			serial.Value(born(number, asGun+uint64(i), 0)),
		}})
	}
	to := c.anywhere(r)
	p := pose.At2(at[0], at[1])
	p.Rotation = pose.Facing2(minus(to, at))
	tree := family.Tree{
		Recipe: hulls, Values: []layout.FieldValue{own, serial.Value(number)},
		Children: []family.Tree{top},
	}
	return tree, []layout.FieldValue{
		pose.Local2.Value(p), world.Position.Value(solid(at)), goal.Value(to),
	}
}

// anywhere returns a place on the field.
func (c *Scene) anywhere(r *world.Stream) [2]float32 {
	return [2]float32{
		r.Range(2*margin, c.Wide()-2*margin), r.Range(2*margin, c.high()-2*margin),
	}
}

// Populate creates the tanks of a region, each side's at its edge of the field.
func (c Scene) Populate(s world.State, owns func([3]float32) bool) (_ world.State, err error) {
	cmds := world.Record(s)
	for i := range c.Tanks {
		number := named(mix(uint64(i) ^ mix(c.Seed)))
		r := world.Random(s, number)
		of, deep := uint8(i%sides), float32(.4)
		at := [2]float32{
			r.Range(margin, c.Wide()-margin), edge(of, c.high(), float32(r.Float32()*deep)),
		}
		if owns(solid(at)) {
			tree, values := c.treeOf(number, of, at, &r)
			cmds.SpawnTree(family.ChildOf, tree, values...)
		}
	}
	if s, err = world.Apply(s); err == nil {
		if s, err = number(s); err == nil {
			s, err = place(s)
		}
	}
	return s, err
}

// edge returns y at the edge of a side, or deeper by a part of the height.
func edge(of uint8, high, deep float32) float32 {
	if of == 0 {
		return margin + float32(deep*(high-2*margin))
	}
	return high - margin - float32(deep*(high-2*margin))
}
