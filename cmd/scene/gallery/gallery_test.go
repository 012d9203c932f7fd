package gallery

import (
	"bytes"
	_ "embed"
	"flag"
	"fmt"
	"image"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/boids"
	"github.com/flatecs/flatecs/cmd/scene/cubes"
	"github.com/flatecs/flatecs/cmd/scene/scenetest"
	"github.com/flatecs/flatecs/cmd/scene/tanks"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// small returns a scene's defaults with fewer objects, enough for several parts.
func small(s *scene.Scene, variant string) scene.Options {
	o := s.Defaults
	o.Count, o.Supers, o.Variant = min(o.Count, 3000), min(o.Supers, 30), variant
	if s == boids.Scene || s == tanks.Scene {
		o.Count = min(o.Count, 700) // each looks at its neighbours
	}
	return o
}

// variants returns every scene in each of its variants.
func variants() (all []variant) {
	for _, s := range All() {
		if len(s.Variants) == 0 {
			all = append(all, variant{s.Name, s, small(s, "")})
		}
		for _, v := range s.Variants {
			all = append(all, variant{s.Name + " " + v.Name, s, small(s, v.Name)})
		}
	}
	return all
}

type variant struct {
	name string
	of   *scene.Scene
	o    scene.Options
}

// inputAt is an input for each step, so that every bit is on now and then.
func inputAt(step int) scene.Input { return scene.Input(step*step>>3) & scene.Input(step) }

func TestTheBytesDoNotDependOnWorkers(t *testing.T) {
	for _, c := range variants() {
		t.Run(c.name, func(t *testing.T) {
			s, o := c.of, c.o
			if o.Count > 0 && (len(s.Variants) == 0 || o.Variant == s.Variants[0].Name || !testing.Short()) {
				o.Count = 70_000 * 4 // parts enough to wake other goroutines
			}
			switch s {
			case boids.Scene:
				o.Count = 20_000 // its parts are smaller
			case tanks.Scene:
				o.Count = 5_000 // of four objects
			}
			steps, most := 20, []int{1, 2, 16}
			if testing.Short() {
				steps, most = 8, []int{1, 16}
			}
			var want []byte
			for _, workers := range most {
				o.Workers = workers
				p, state := scenetest.Open(t, s, o)
				for step := range steps {
					state = p.Step(state, inputAt(step))
				}
				if want == nil {
					want = bytes.Clone(world.Bytes(state))
				}
				require.True(t, bytes.Equal(want, world.Bytes(state)), "%d workers", workers)
				require.NoError(t, tool.Verify(state))
				p.Close(state)
			}
		})
	}
}

func TestTheSameStateAndInputGiveTheSameBytes(t *testing.T) {
	for _, c := range variants() {
		t.Run(c.name, func(t *testing.T) {
			s, o := c.of, c.o
			p, state := scenetest.Open(t, s, o)
			for step := range 100 {
				state = p.Step(state, inputAt(step))
			}
			twin := world.Must(world.Clone(state))
			for step := range 100 {
				state = p.Step(state, inputAt(step))
			}
			for step := range 100 {
				twin = p.Step(twin, inputAt(step)|^scene.Input(1<<len(s.Inputs)-1))
			}
			require.True(t, bytes.Equal(world.Bytes(state), world.Bytes(twin)),
				"bits that name nothing are ignored")
		})
	}
}

func TestAnotherSeedGivesAnotherWorld(t *testing.T) {
	for _, c := range variants() {
		t.Run(c.name, func(t *testing.T) {
			s, o := c.of, c.o
			worldOf := func(seed uint64) []byte {
				o.Seed = seed
				p, state := scenetest.Open(t, s, o)
				for range 200 {
					state = p.Step(state, 0)
				}
				return world.Bytes(state)
			}
			assert.True(t, bytes.Equal(worldOf(3), worldOf(3)))
			seen := map[string]bool{}
			for _, seed := range []uint64{0, 1, 2, math.MaxUint64} {
				seen[string(worldOf(seed))] = true
			}
			assert.Len(t, seen, 4)
		})
	}
}

func TestAllocsStep(t *testing.T) {
	for _, c := range variants() {
		t.Run(c.name, func(t *testing.T) {
			s, o := c.of, c.o
			for _, o.Workers = range []int{1, 2} {
				p, state := scenetest.Open(t, s, o)
				step := 0
				play := func() {
					state = p.Step(state, inputAt(step))
					step++
				}
				for range 300 {
					play()
				}
				assert.Zero(t, testing.AllocsPerRun(300, play), "%d workers", o.Workers)
			}
		})
	}
}

func TestOptionsThatASceneCannotBeOpenedWith(t *testing.T) {
	for _, s := range All() {
		for _, o := range []scene.Options{{Variant: "no such"}, {Count: -1}, {Supers: -1}} {
			_, err := s.Open(o)
			require.ErrorIs(t, err, scene.ErrOptions)
			require.ErrorContains(t, err, s.Name)
		}
	}
	_, err := cubes.Scene.Open(scene.Options{Count: math.MaxInt / 2})
	require.ErrorIs(t, err, world.ErrCount)
	_, err = cubes.Scene.Open(scene.Options{})
	require.NoError(t, err, "no cubes")
}

// The digests after 600 steps, a line for each scene and variant: they are the same on every
// machine. Lines change when a scene does something else, which needs another Behaviour, and when
// the library keeps worlds in other bytes; go test -run Golden -update writes them anew.
//
//go:embed testdata/digests.golden
var goldenDigests string

const goldenSteps = 600

var update = flag.Bool("update", false, "write the golden files anew")

func goldenLine(t *testing.T, c variant) string {
	t.Helper()
	o := c.o // TestTheBytesDoNotDependOnWorkers has other numbers of them
	o.Count, o.Supers, o.Seed, o.Workers = min(c.of.Defaults.Count, 10_000), c.of.Defaults.Supers, 7, 2
	switch c.of {
	case boids.Scene:
		o.Count = 1_000 // a step takes each bird a thousand times as long as a cube
	case tanks.Scene:
		o.Count = 150 // more than one part of objects
	}
	p, s := scenetest.Open(t, c.of, o)
	for range goldenSteps {
		input := scene.Input(0)
		if c.of.Pilot != nil {
			input = c.of.Pilot(s)
		}
		s = p.Step(s, input)
	}
	defer p.Close(s)
	return fmt.Sprintf("%s behaviour=%d count=%d supers=%d seed=%d frame=%d xxh3=%016x\n",
		c.name, c.of.Behaviour, o.Count, o.Supers, o.Seed, goldenSteps, world.Digest(s))
}

func TestGoldenDigests(t *testing.T) {
	var lines strings.Builder
	for _, c := range variants() {
		lines.WriteString(goldenLine(t, c))
	}
	if *update {
		require.NoError(t, os.WriteFile("testdata/digests.golden", []byte(lines.String()), 0o600))
		return
	}
	assert.Equal(t, goldenDigests, lines.String())
}

// measure tells a picture by its size, and for red, green, blue and alpha each by the mean and by
// where the middle lies, in pixels.
func measure(m *image.RGBA) []any {
	size := m.Rect.Size()
	all := []any{float64(size.X), float64(size.Y)}
	for channel := range 4 {
		var sum, x, y float64
		for i := channel; i < len(m.Pix); i += 4 {
			v := float64(m.Pix[i])
			sum, x, y = sum+v, x+v*float64(i%m.Stride/4), y+v*float64(i/m.Stride)
		}
		all = append(all, sum/float64(size.X*size.Y), x/max(sum, 1), y/max(sum, 1))
	}
	return all
}

// What scenes paint is what it was, to a twentieth of a pixel: processors may fuse products with
// sums.
func TestPaintedPicturesStay(t *testing.T) {
	const path = "testdata/painted.golden"
	golden, err := os.ReadFile(path)
	require.NoError(t, err)
	var painted strings.Builder
	wants := strings.NewReader(strings.TrimSpace(string(golden)))
	for _, s := range All() {
		for n, m := range s.Look().Images {
			got := measure(m)
			format := s.Name + strings.Repeat(" %.2f", len(got)) + "\n"
			_, _ = fmt.Fprintf(&painted, format, got...)
			if *update {
				continue
			}
			var name string
			_, _ = fmt.Fscan(wants, &name)
			assert.Equal(t, s.Name, name)
			for k, value := range got {
				var want float64
				_, _ = fmt.Fscan(wants, &want)
				assert.InDelta(t, want, value, .05, "%s, picture %d, value %d", s.Name, n, k)
			}
		}
	}
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(painted.String()), 0o600))
		return
	}
	assert.Zero(t, wants.Len(), "pictures that are gone")
}
