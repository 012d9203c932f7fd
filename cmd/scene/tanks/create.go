package tanks

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/heroes"
	"github.com/flatecs/flatecs/world/pose"
)

// The recipes of the objects.
var (
	hull   = world.NewRecipe("hull", heroes.Position, pose.Local2, pose.Global2, Hull, Looks)
	turret = world.NewRecipe("turret", family.ChildOf, pose.Local2, pose.Global2, Target, Looks).
		With(pose.Local2.Value(pose.At2(-1.5, 0)), part.Value(Turrets))
	gun = world.NewRecipe("gun", family.ChildOf, pose.Local2, pose.Global2, Gun, Looks).
		With(part.Value(Guns))
	shell = world.NewRecipe("shell",
		heroes.Position, pose.Local2, pose.Global2, Motion, Fading, Looks, Shell).
		With(part.Value(Shells), left.Value(flight))
	blast = world.NewRecipe("blast", pose.Local2, pose.Global2, Fading, Looks).
		With(part.Value(Blasts))
)

// treeOf returns a tank of a side, with two guns.
func treeOf(n uint8) family.Tree {
	own := side.Value(n)
	top := family.Tree{Recipe: turret, Values: []layout.FieldValue{own}}
	for _, y := range []float32{-1.5, 1.5} {
		top.Children = append(top.Children, family.Tree{Recipe: gun, Values: []layout.FieldValue{
			own, pose.Local2.Value(pose.At2(gunAhead, y)),
		}})
	}
	return family.Tree{Recipe: hull, Values: []layout.FieldValue{own}, Children: []family.Tree{top}}
}

// create creates the tanks of all sides, each side in its own part of the field.
func (f *battle) create(s world.State) (world.State, error) {
	for n := range f.trees {
		f.trees[n] = treeOf(uint8(n))
	}
	s, r := world.NextStream(s)
	c := world.Record(s)
	for i := range f.tanks {
		f.send(c, &r, i%f.sides, .4)
	}
	s, err := world.Apply(s)
	if err != nil {
		return s, err
	}
	return place(s)
}

// send records a new tank of a side, which starts at the side's edge of the field, or deeper in it
// by up to the fraction deep of the field.
func (f *battle) send(c world.Commands, r *world.Stream, n int, deep float32) {
	const margin = 15
	along, into := r.Float32(), float32(r.Float32()*deep)
	p := [...]pose.Pose2{
		pose.At2(into, along), pose.At2(1-into, along),
		pose.At2(along, into), pose.At2(along, 1-into),
	}[n]
	p.X = margin + float32(p.X*(f.wide-2*margin))
	p.Y = margin + float32(p.Y*(f.high-2*margin))
	to := f.randomPlace(r)
	p.Rotation = pose.Facing2(minus(to, p.Position()))
	c.SpawnTree(family.ChildOf, f.trees[n], pose.Local2.Value(p), goal.Value(to))
}

// randomPlace returns a random place on the field.
func (f *battle) randomPlace(r *world.Stream) [2]float32 {
	const margin = 30
	return [2]float32{r.Range(margin, f.wide-margin), r.Range(margin, f.high-margin)}
}

// reinforce sends a tank for each missing one, if there is room, to the side with the fewest tanks.
func (f *battle) reinforce(s world.State) (world.State, error) {
	missing := f.tanks - hulls.Count(s)
	if missing <= 0 || world.Len(s) > room/2*f.tanks {
		return s, nil
	}
	strength := f.strength(s)
	s, r := world.NextStream(s)
	c := world.Record(s)
	for range missing {
		fewest := 0
		for n := range strength[:f.sides] {
			if strength[n] < strength[fewest] {
				fewest = n
			}
		}
		strength[fewest]++
		f.send(c, &r, fewest, 0)
	}
	return s, nil
}

// strength returns the number of tanks of each side.
func (f *battle) strength(s world.State) (tanks [most]int) {
	for b := range hulls.In(s) {
		for _, n := range world.Column(b, side) {
			tanks[int(n)%f.sides]++
		}
	}
	return tanks
}
