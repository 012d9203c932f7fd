package lab_test

import (
	"context"
	"os"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/lab"
	"github.com/flatecs/flatecs/world/space"
)

// Flies is the parameters of flies on a plane.
type Flies struct {
	Flies int64
	Reach float64 // of their eyes
}

var (
	Spot  = layout.NewComponent[[2]float32]("spot")
	Alone = layout.NewComponent[bool]("alone")
	Fly   = world.NewRecipe("fly", Spot, Alone)
	Eyes  = world.NewResource("eyes", Eye)
	Eye   = layout.NewField[float64]("eye")
	spots = world.NewQuery(world.Write(Spot))
	looks = world.NewQuery(world.Write(Alone))
)

func (f Flies) Counts() world.Counts {
	return world.Counts{
		Kinds:   layout.Kinds(Spot.Count(int(f.Flies)), Alone.Count(int(f.Flies))),
		Recipes: []world.Recipe{Fly}, Resources: []world.ResourceKind{Eyes},
	}
}

func (f Flies) Setup(s world.State) (world.State, error) {
	s = world.SetResource(s, Eye, f.Reach)
	return world.SpawnN(s, Fly, int(f.Flies), nil)
}

// scatter puts each fly somewhere.
func scatter(s world.State) {
	for b := range spots.In(s) {
		at := world.Column(b, Spot)
		for i := range at {
			r := world.Random(s, uint64(b.ID(i)))
			at[i] = [2]float32{10 * r.Float32(), 10 * r.Float32()}
		}
	}
}

// equip returns a step that looks around in cells of its own.
func equip(s world.State) (lab.Equipment, error) {
	cells, err := space.NewCells(s, Spot, space.Options{Size: 1})
	if err != nil {
		return lab.Equipment{}, err
	}
	var alone []bool // per entry
	return lab.Equipment{Step: func(s world.State) (world.State, error) {
		scatter(s)
		s = cells.Build(s, nil)
		view, reach := cells.In(s), world.Resource(s, Eye)
		alone = alone[:0]
		var found [2]space.Hit
		for _, at := range view.Points() {
			alone = append(alone, len(view.Nearest(found[:], at, reach)) == 1) // it finds itself
		}
		for b := range looks.In(s) {
			space.Return(world.Column(b, Alone), view, b, alone)
		}
		return world.Advance(s), view.Strays()
	}}, nil
}

func ExampleEquipment() {
	sets := world.Must(lab.Grid(Flies{Flies: 50}, lab.Range("reach", 0.5, 1.5, 3)))
	sweep := lab.Sweep[Flies]{
		Params: sets, Seeds: lab.Seeds(1, 2), Counts: Flies.Counts,
		Setup: func(s world.State, f Flies) (world.State, error) { return f.Setup(s) },
		Equip: equip,
		Steps: 3, Reports: []lab.Reporter{lab.OfFunc(Alone, func(alone bool) float64 {
			if alone {
				return 1
			}
			return 0
		}).Sum("alone")},
	}
	if err := sweep.Run(context.Background(), lab.NewCSV(os.Stdout)); err != nil {
		panic(err)
	}
	// Output:
	// flies,reach,seed,step,alone,error
	// 50,0.5,1643822163114873686,3,30,
	// 50,0.5,1890700816702069259,3,42,
	// 50,1,1643822163114873686,3,7,
	// 50,1,1890700816702069259,3,15,
	// 50,1.5,1643822163114873686,3,3,
	// 50,1.5,1890700816702069259,3,5,
}
