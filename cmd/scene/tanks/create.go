package tanks

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/pose"
)

// What the objects are made of.
var (
	hull   = world.NewRecipe("hull", pose.Local2, pose.Global2, Hull, Looks)
	turret = world.NewRecipe("turret", family.ChildOf, pose.Local2, pose.Global2, Target, Looks).
		With(pose.Local2.Value(pose.At2(-1.5, 0)), part.Value(partTurret))
	gun = world.NewRecipe("gun", family.ChildOf, pose.Local2, pose.Global2, Gun, Looks).
		With(part.Value(partGun))
	shell = world.NewRecipe("shell", pose.Local2, pose.Global2, Motion, Fading, Looks, Shell).
		With(part.Value(partShell), left.Value(flight))
	blast = world.NewRecipe("blast", pose.Local2, pose.Global2, Fading, Looks).
		With(part.Value(partBlast))
)

// trees are the tanks of each side.
var trees = [4]family.Tree{treeOf(0), treeOf(1), treeOf(2), treeOf(3)}

// treeOf returns a tank of a side: its guns fire in turn.
func treeOf(n uint8) family.Tree {
	gunAt := func(y float32, loads uint8) family.Tree {
		return family.Tree{Recipe: gun, Values: []layout.FieldValue{
			side.Value(n), loading.Value(loads), pose.Local2.Value(pose.At2(gunAhead, y)),
		}}
	}
	return family.Tree{Recipe: hull, Values: []layout.FieldValue{side.Value(n)},
		Children: []family.Tree{{
			Recipe: turret, Values: []layout.FieldValue{side.Value(n)},
			Children: []family.Tree{gunAt(-1.5, reload), gunAt(1.5, reload/2)},
		}},
	}
}

// create creates the tanks of all sides, each side in its own part of the field.
func (f *battle) create(s world.State) (world.State, error) {
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

// send records a new tank of a side, which begins at the side's edge of the field, or deeper in it
// by up to a part of the field.
func (f *battle) send(c world.Commands, r *world.Stream, n int, deep float32) {
	const margin = 15
	along, into := r.Float32(), float32(r.Float32()*deep)
	at := [...][2]float32{{into, along}, {1 - into, along}, {along, into}, {along, 1 - into}}[n]
	ahead := [...]pose.Rotation2{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}[n]
	p := pose.At2(
		margin+float32(at[0]*(f.size[0]-2*margin)), margin+float32(at[1]*(f.size[1]-2*margin)))
	p.Rotation = ahead
	c.SpawnTree(family.ChildOf, trees[n], pose.Local2.Value(p), goal.Value(f.anywhere(r)))
}

// anywhere returns a place on the field.
func (f *battle) anywhere(r *world.Stream) [2]float32 {
	const margin = 30
	return [2]float32{r.Range(margin, f.size[0]-margin), r.Range(margin, f.size[1]-margin)}
}

// reinforce sends a tank for each that is missing, when there is room, to the side that has fewest.
func (f *battle) reinforce(s world.State) (world.State, error) {
	missing := f.tanks - hulls.Count(s)
	if missing <= 0 || world.Live(s) > room/2*f.tanks {
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

// strength returns how many tanks each side has.
func (f *battle) strength(s world.State) (tanks [len(trees)]int) {
	for b := range counted.In(s) {
		for _, n := range world.Column(b, side) {
			tanks[int(n)%f.sides]++
		}
	}
	return tanks
}
