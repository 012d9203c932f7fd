//go:build amd64

package world_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// outsideRace writes one row from two goroutines.
const outsideRace = `package main

import (
	"fmt"
	"os"
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
	var both sync.WaitGroup
	begin := make(chan struct{})
	for n := range 2 {
		both.Go(func() {
			<-begin // so that both are there
			for range 1000 {
				rows[0][0] = float32(n)
			}
		})
	}
	close(begin)
	both.Wait()
	fmt.Println(world.Size(s) > 4<<20)
}
`

// TestRacesOnLargeWorldsAreReported: the race detector sees what is in Go's heap alone, so worlds that
// would be mapped lie there where it runs.
func TestRacesOnLargeWorldsAreReported(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.com/outside\n\ngo 1.26\n\n"+
		"require github.com/flatecs/flatecs v0.0.0\n\n"+
		"replace github.com/flatecs/flatecs => "+strconv.Quote(root)+"\n")
	write(t, dir, "race/main.go", outsideRace)
	for name, args := range map[string][]string{
		"counted": {"run", "-race", "./race"}, "free": {"run", "-race", "./race", "free"},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), "go", args...)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(),
				"GOWORK=off", "GOFLAGS=-mod=mod", "GOPROXY=off", "GOSUMDB=off")
			out, err := cmd.CombinedOutput()
			var exit *exec.ExitError
			require.ErrorAs(t, err, &exit, "%s", out)
			require.Contains(t, string(out), "WARNING: DATA RACE")
			require.Contains(t, string(out), "true\n", "the world is large")
		})
	}
}
