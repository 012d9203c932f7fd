package abm

import (
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/lab"
)

// SchellingReports report the number of happy agents, and their share.
var SchellingReports = []lab.Reporter{
	lab.OfFunc(happy, one).Sum("happy"), lab.OfFunc(happy, one).Mean("share"),
}

// WolfSheepReports report the numbers of sheep and wolves, their mean energies, and the number of
// fields with grown grass.
var WolfSheepReports = []lab.Reporter{
	lab.Together(lab.Count("sheepAlive", world.With(sheep)),
		lab.Count("wolvesAlive", world.With(wolf))),
	lab.Together(lab.OfFunc(sheep, energyOf).Mean("sheepEnergy"),
		lab.OfFunc(wolf, energyOf).Mean("wolfEnergy")),
	lab.Report("grass", grown),
}

// FlockingReports report the alignment of the birds: 1 if all have the same direction.
var FlockingReports = []lab.Reporter{lab.Report("order", alignment)}

// ForestFireReports report the numbers of green, burning and burnt trees.
var ForestFireReports = []lab.Reporter{
	lab.OfFunc(tree, in(green)).Sum("green"), lab.OfFunc(tree, in(burning)).Sum("burning"),
	lab.OfFunc(tree, in(burnt)).Sum("burnt"),
}

func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

func in(state uint8) func(uint8) float64 {
	return func(is uint8) float64 { return one(is == state) }
}

func energyOf(a animal) float64 { return a.Energy }

func grown(s world.State) (n float64) {
	now := world.Tick(s)
	for _, from := range world.View(s, grass) {
		n += one(uint64(from) <= now)
	}
	return n
}

func alignment(s world.State) float64 {
	var sum vector
	all := world.View(s, flyers)
	for i := range all {
		sum[0], sum[1] = sum[0]+all[i].Flight[0], sum[1]+all[i].Flight[1]
	}
	return length(sum) / float64(max(len(all), 1))
}
