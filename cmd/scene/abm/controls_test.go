package abm

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/inspect"
)

// Whatever a page sets on sliders, and whenever, a model goes on.
func TestModelsGoOnAtBothEndsOfSliders(t *testing.T) {
	steps := 60
	if testing.Short() {
		steps = 10
	}
	for _, c := range []struct {
		m    Model
		step func(world.State) world.State
	}{
		{SchellingSmall, StepSchelling},
		{WolfSheepSmall, StepWolfSheep},
		{FlockingSmall, StepFlocking},
		{ForestFireSmall, StepForestFire},
	} {
		names := map[string]bool{}
		for ends := range 1 << len(Controls(c.m)) {
			s := begin(t, c.m, uint64(ends+1))
			for n, control := range Controls(c.m) {
				names[control.Part] = true
				if !control.Fixed {
					s = set(t, s, control, ends>>n&1 == 0)
				}
			}
			for range steps {
				s = c.step(s)
			}
			require.NoError(t, tool.Verify(s))
			world.Close(s)
		}
		for _, p := range Controls(c.m)[0].Field.Spec().Parts {
			assert.True(t, names[p.Name], "%T: %s has a control", c.m, p.Name)
		}
	}
}

// set sets a parameter to an end of its slider.
func set(t *testing.T, s world.State, c inspect.Control, low bool) world.State {
	t.Helper()
	end := c.Max
	if low {
		end = c.Min
	}
	switch f := c.Field.(type) {
	case layout.Field[Schelling]:
		p := world.Resource(s, f)
		map[string]func(){
			"Wanted": func() { p.Wanted = int32(end) }, "Radius": func() { p.Radius = int32(end) },
		}[c.Part]()
		return world.SetResource(s, f, p)
	case layout.Field[WolfSheep]:
		p := world.Resource(s, f)
		map[string]func(){
			"Regrowth":    func() { p.Regrowth = int32(end) },
			"SheepBirths": func() { p.SheepBirths = end }, "WolfBirths": func() { p.WolfBirths = end },
			"SheepGain": func() { p.SheepGain = end }, "WolfGain": func() { p.WolfGain = end },
		}[c.Part]()
		return world.SetResource(s, f, p)
	}
	t.Fatalf("no such control: %v", c)
	return s
}
