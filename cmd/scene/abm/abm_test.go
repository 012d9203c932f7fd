package abm

import (
	"image/color"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/inspect"
)

func begin(tb testing.TB, m Model, seed uint64) world.State {
	tb.Helper()
	c := m.Counts()
	c.Seed = seed
	s := world.Must(world.CreateState(c))
	s = world.Must(m.Setup(s))
	return s
}

// counted returns how many elements of a field have a value.
func counted[T comparable](s world.State, f layout.Field[T], value T) (n int) {
	for _, is := range world.View(s, f) {
		if is == value {
			n++
		}
	}
	return n
}

// The same on every machine.
func TestDigests(t *testing.T) {
	for _, c := range []struct {
		m     Model
		step  func(world.State) world.State
		steps int
		want  uint64
	}{
		{SchellingSmall, StepSchelling, 20, 0x3da49b223dcc41e8},
		{SchellingLarge, StepSchelling, 5, 0x140f59d2839d972b},
		{FlockingSmall, StepFlocking, 20, 0x0be6da7b888e3b52},
		{FlockingLarge, StepFlocking, 5, 0x625083df13a818d3},
		{ForestFireSmall, StepForestFire, 100, 0xb37bba17da25e54c},
		{ForestFireLarge, StepForestFire, 20, 0xaca9b025e932c205},
		{WolfSheepSmall, StepWolfSheep, 100, 0x6202859c54b21b89},
		{WolfSheepLarge, StepWolfSheep, 20, 0xb66d242d3bb368aa},
	} {
		s := begin(t, c.m, 1)
		for range c.steps {
			s = c.step(s)
		}
		require.NoError(t, tool.Verify(s))
		assert.Equal(t, c.want, world.Digest(s), "%+v", c.m)
		world.Close(s)
	}
}

func TestOneAgentPerPlace(t *testing.T) {
	s := begin(t, SchellingSmall, 3)
	for range 21 {
		homes, groups, tenants := world.View(s, place), world.View(s, group), world.View(s, tenant)
		taken := 0
		for _, who := range tenants {
			taken += min(int(who), 1)
		}
		for i, at := range homes {
			require.Equal(t, groups[i], tenants[at])
		}
		require.Len(t, homes, 1000)
		require.Equal(t, 1000, taken)
		for _, p := range world.View(s, free)[:600] {
			require.Zero(t, tenants[p])
		}
		s = StepSchelling(s)
	}
	assert.Greater(t, counted(s, happy, true), 970)
	ones := 0
	for _, g := range world.View(s, group) {
		ones += int(g)
	}
	assert.Equal(t, 500*1+500*2, ones)
	world.Close(s)
}

// At its turn, each bird sees exactly the near birds, at their current places, on both sides of the
// borders.
func TestBirdsSeeAsDeclared(t *testing.T) {
	for _, p := range []Flocking{
		FlockingSmall, FlockingLarge,
		{30, 90, 5, 5, .03, 1, .015, .05},
		{30, 90, 10, 0, .03, 1, .015, .05},
		{30, 60, 10, 30, .03, 1, .015, .05},
		{40, 50, 2, -6, .03, 5, .5, .05},
		{1000, 40, 3, 1, 0, 2, 1, 0},
		{7, 1, 2, 1, .03, 1, .015, .05},
	} {
		s := begin(t, p, 4)
		for range 12 {
			birds := slices.Clone(world.View(s, flyers))
			s = StepFlocking(s)
			for _, i := range world.View(s, wing) {
				b := &birds[i]
				b.Flight = seen(birds, &p, int(i))
				b.At[0], b.At[1] = b.At[0]+b.Flight[0]*p.Speed, b.At[1]+b.Flight[1]*p.Speed
			}
			for i, b := range world.View(s, flyers) {
				for k := range b.At {
					require.InDelta(t, birds[i].Flight[k], b.Flight[k], 1e-9)
					require.InDelta(t, 0, math.Remainder(birds[i].At[k]-b.At[k], p.Extent), 1e-9)
				}
				require.InDelta(t, 1, length(b.Flight), 1e-12)
				require.True(t, min(b.At[0], b.At[1]) >= 0 && max(b.At[0], b.At[1]) <= p.Extent)
			}
		}
		world.Close(s)
	}
}

// seen is the declared rule, over all birds.
func seen(birds []bird, p *Flocking, i int) vector {
	var cohere, separate, match vector
	n := 0.0
	for j, other := range birds {
		var h vector
		for k := range h {
			h[k] = math.Remainder(other.At[k]-birds[i].At[k], p.Extent)
		}
		if far := math.Hypot(h[0], h[1]); j != i && far <= p.Sight {
			n++
			for k := range h {
				cohere[k] += h[k]
				match[k] += other.Flight[k]
				if far < p.Separation {
					separate[k] -= h[k]
				}
			}
		}
	}
	v := birds[i].Flight
	for k := range v {
		v[k] += (cohere[k]*p.Cohere + separate[k]*p.Separate + match[k]*p.Match) / max(n, 1)
	}
	return vector{v[0] / math.Hypot(v[0], v[1]), v[1] / math.Hypot(v[0], v[1])}
}

func TestFlocksAllocateNothing(t *testing.T) {
	s := begin(t, FlockingSmall, 7)
	assert.Zero(t, testing.AllocsPerRun(10, func() { s = StepFlocking(s) }))
	world.Close(s)
}

// A weight is 1 up to the sight, that included.
func TestWeightEndsWithTheSight(t *testing.T) {
	for _, x := range []float64{0, 1e-300, .1, 1, 1e38} {
		assert.InDelta(t, 1, weight(x, x), 0)
		assert.InDelta(t, 1, weight(math.Nextafter(x, -1), x), 0)
		assert.Zero(t, weight(math.Nextafter(x, math.Inf(1)), x))
	}
}

// The list of each field holds the sheep that wolves found there, and none else.
func TestSheepAreInTheListsOfTheirFields(t *testing.T) {
	p := WolfSheepSmall
	s := begin(t, p, 5)
	for range 60 {
		s = StepWolfSheep(s)
		flock, listed := world.View(s, sheep), 0
		for field, i := range world.View(s, first) {
			for ; i != 0; i = flock[i-1].Next {
				require.Equal(t, field, p.field(&flock[i-1]))
				_, alive := world.ObjectOf(s, sheep, layout.Row(i-1))
				require.True(t, alive)
				listed++
			}
		}
		require.Equal(t, tool.Mounted(s, sheep.Kind()), listed)
	}
	world.Close(s)
}

// The fire equals the declaration, computed place by place.
func TestFireSpreadsAsDeclared(t *testing.T) {
	for _, p := range []ForestFire{ForestFireSmall, {.6, 37}, {1, 1}, {0, 5}} {
		s := begin(t, p, 6)
		for range 100 {
			want := spread(world.View(s, tree), int(p.Side))
			s = StepForestFire(s)
			require.Equal(t, want, world.View(s, tree))
			require.NoError(t, tool.Verify(s))
		}
		require.True(t, p != ForestFireSmall || counted(s, tree, burnt) > 5000)
		world.Close(s)
	}
}

func TestParametersAreRefused(t *testing.T) {
	for want, m := range map[string]Model{
		"trees in 2 of":       ForestFire{2, 5},
		"1.5 agents per":      Schelling{1.5, 40, 3, 1, 2},
		"0 groups on":         Schelling{.5, 40, 3, 1, 0},
		"gains of 5 and 0":    WolfSheep{60, 40, 25, 20, .2, .1, 5, 0},
		"birds see 60 of 100": Flocking{100, 200, 60, 1, .03, 1, .015, .05},
		"birds fly -101 of":   Flocking{100, 200, 6, -101, .03, 1, .015, .05},
	} {
		_, err := m.Setup(world.State{})
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, "; give ")
	}
}

func spread(trees []uint8, side int) []uint8 {
	next := slices.Clone(trees)
	for i, is := range trees {
		if is != burning {
			continue
		}
		next[i] = burnt
		for _, d := range [][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
			x, y := i%side+d[0], i/side+d[1]
			if x >= 0 && x < side && y >= 0 && y < side && trees[y*side+x] == green {
				next[y*side+x] = burning
			}
		}
	}
	return next
}

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

// Each model has a picture of its world, in which what is drawn is as much as there is of it.
func TestPicturesShowTheWorld(t *testing.T) {
	for _, c := range []struct {
		m      Model
		step   func(world.State) world.State
		of     color.RGBA
		pixels func(s world.State) float64 // of that colour, at most; half of them are seen at least
	}{
		{SchellingSmall, StepSchelling, peoples[1], func(world.State) float64 { return 500 * 10 * 10 }},
		{ForestFireSmall, StepForestFire, ash, func(s world.State) float64 {
			return float64(counted(s, tree, burnt) * 4 * 4)
		}},
		{FlockingSmall, StepFlocking, wool, func(world.State) float64 { return 200 * 3 * 3 }},
		{WolfSheepSmall, StepWolfSheep, fur, func(s world.State) float64 {
			return float64(tool.Mounted(s, wolf.Kind()) * 9 * 9)
		}},
		{ForestFireLarge, StepForestFire, leaf, func(world.State) float64 { return 500 * 500 }},
	} {
		s := begin(t, c.m, 1)
		for range 30 {
			s = c.step(s)
		}
		digest := world.Digest(s)
		m := Picture(c.m)(s)
		size := m.Bounds().Dx()
		require.True(t, size >= 200 && size <= 1000 && size == m.Bounds().Dy(), "%v", m.Bounds())
		n := 0.
		for y := range size {
			for x := range size {
				if m.At(x, y) == color.Color(c.of) {
					n++
				}
			}
		}
		most := c.pixels(s)
		assert.True(t, n <= most && n >= most/2, "%+v: %v pixels of %v", c.m, n, most)
		assert.Equal(t, digest, world.Digest(s))
		world.Close(s)
	}
}
