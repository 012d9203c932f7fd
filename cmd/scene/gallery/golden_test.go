package gallery

import (
	_ "embed"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/boids"
	"github.com/flatecs/flatecs/cmd/scene/scenetest"
	"github.com/flatecs/flatecs/cmd/scene/tanks"
	"github.com/flatecs/flatecs/world"
)

// The digests after 600 steps, a line for each scene and variant: they are the same on every
// machine. Lines change when a scene does something else, which needs another Behaviour, and when
// the library keeps worlds in other bytes; go test -run Golden -update writes them anew.
//
//go:embed testdata/digests.golden
var goldenDigests string

const goldenSteps = 600

var update = flag.Bool("update", false, "write the golden digests anew")

func goldenLine(t *testing.T, c variant, workers int) string {
	t.Helper()
	o := c.o
	o.Count, o.Supers, o.Seed, o.Workers = min(c.of.Defaults.Count, 10_000), c.of.Defaults.Supers, 7, workers
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
	if *update {
		var lines strings.Builder
		for _, c := range variants() {
			lines.WriteString(goldenLine(t, c, 1))
		}
		require.NoError(t, os.WriteFile("testdata/digests.golden", []byte(lines.String()), 0o600))
		goldenDigests = lines.String()
	}
	many := []int{1, 2, 16}
	if testing.Short() {
		many = []int{2} // TestTheBytesDoNotDependOnWorkers has the others
	}
	for _, workers := range many {
		var lines strings.Builder
		for _, c := range variants() {
			lines.WriteString(goldenLine(t, c, workers))
		}
		assert.Equal(t, goldenDigests, lines.String(), "%d workers", workers)
	}
}
