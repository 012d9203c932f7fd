//go:build amd64 && tools

package world_test

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// outsideRace writes one row from two goroutines.
const outsideRace = `package main

import (
	"fmt"
	"os"
	"runtime"
	"sync"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
)

var spot = layout.NewField[[3]float32]("spot")
var body = layout.NewKind("body", spot)

func main() {
	counts := world.Counts{Kinds: []layout.Count{body.Count(1 << 20)}}
	if len(os.Args) > 1 {
		counts.Kinds = layout.Kinds(body)
	}
	s, err := world.CreateState(counts)
	if err != nil {
		panic(err)
	}
	s, _, err = world.CreateWith(s, body)
	if err != nil {
		panic(err)
	}
	rows := world.View(s, spot)
	// Neither write is before the other, yet they never meet: two at the same instant, or one of a
	// goroutine that has ended, may escape the detector.
	runtime.GOMAXPROCS(1)
	var both sync.WaitGroup
	wrote := [2]chan struct{}{make(chan struct{}), make(chan struct{})}
	for n := range 2 {
		both.Go(func() {
			rows[0][0] = float32(n)
			close(wrote[n])
			<-wrote[1-n]
		})
	}
	both.Wait()
	fmt.Println(len(world.Bytes(s)) > 4<<20)
}
`

// TestRacesOnLargeWorldsAreReported: the race detector sees only Go's heap, so with it, worlds that
// would be mapped are in the heap.
func TestRacesOnLargeWorldsAreReported(t *testing.T) {
	_, err := exec.LookPath("gcc")
	require.NoError(t, err, "the race detector needs a C compiler: install gcc and libc6-dev")
	t.Setenv("CGO_ENABLED", "1")
	dir := outside(t)
	write(t, dir, "race/main.go", outsideRace)
	for name, args := range map[string][]string{
		"counted": {"run", "-race", "./race"}, "free": {"run", "-race", "./race", "free"},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := goIn(t, dir, args...)
			var exit *exec.ExitError
			require.ErrorAs(t, err, &exit, "%s", out)
			require.Contains(t, out, "WARNING: DATA RACE")
			require.Contains(t, out, "true\n", "the world is large")
		})
	}
}
