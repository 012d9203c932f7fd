package every

import (
	"time"

	"github.com/flatecs/flatecs/cmd/vet/testdata/forks"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

var (
	Lift    = layout.NewComponent[float32]("lift")
	lifting = world.NewQuery(world.Read(Lift))
	lifts   []float32
)

// Rise has one mistake of each sort.
func Rise(s world.State) world.State {
	for b := range lifting.In(s) {
		lifts = world.Column(b, Lift)
		world.Column(b, Lift)[0] = 1
	}
	world.Advance(s)
	forks.Fork(s)
	//flatecs:allow
	time.Now()
	return s
}
