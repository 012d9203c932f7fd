// Package worldtest has what the tests of world, and of the packages below it, share.
package worldtest

import (
	"fmt"
	"go/build"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/heroes"
)

// AtLength reports whether tests take the sizes that are too long for every day.
func AtLength() bool { return os.Getenv("FLATECS_FULL") != "" && !testing.Short() }

// OneGoroutine skips a test with -short under the race detector, which finds nothing where a single
// goroutine works and makes it ten times as long.
func OneGoroutine(tb testing.TB) {
	tb.Helper()
	raced := debug.BuildSetting{Key: "-race", Value: "true"}
	info, ok := debug.ReadBuildInfo()
	if testing.Short() && ok && slices.Contains(info.Settings, raced) {
		tb.Skip("one goroutine: the race detector has nothing to find")
	}
}

// Create creates n game objects.
func Create(s world.State, n int) (world.State, []world.GameObject) {
	ids := make([]world.GameObject, n)
	for i := range ids {
		s, ids[i] = world.Must2(world.Create(s))
	}
	return s, ids
}

// CreateNamed creates a game object with a name.
func CreateNamed(s world.State, name string) (world.State, world.GameObject, error) {
	s, id, err := world.Create(s)
	if err == nil {
		s, err = world.SetName(s, id, name)
	}
	return s, id, err
}

// Frame is one frame of the heroes: they move, and are drawn both ways.
func Frame(s world.State, r heroes.Renderer) world.State {
	return heroes.RenderInstances(heroes.RenderOneByOne(heroes.Update(s), r), r)
}

// PanicsWith checks that f panics with a sentence that has every part.
func PanicsWith(tb testing.TB, f func(), parts ...string) {
	tb.Helper()
	defer func() {
		tb.Helper()
		panicked := recover()
		text, ok := panicked.(string)
		if !ok {
			tb.Fatalf("it panics with %v, not with a sentence", panicked)
		}
		for _, part := range parts {
			if !strings.Contains(text, part) {
				tb.Fatalf("it panics with %q, which does not contain %q", text, part)
			}
		}
	}()
	f()
}

// A Recorder is a renderer that keeps what it was given.
type Recorder struct {
	Log   []string
	Ones  []uint32 // objects drawn one by one
	Calls [][]byte // positions of each DrawInstances, not copied
}

// Init notes that it was called.
func (r *Recorder) Init() { r.Log = append(r.Log, "init") }

// DrawOne notes the object, and how many positions there are.
func (r *Recorder) DrawOne(object uint32, position []byte) {
	r.Ones = append(r.Ones, object)
	r.Log = append(r.Log, fmt.Sprint("one ", object, " ", len(position)/12))
}

// DrawInstances keeps the positions, and notes how many there are.
func (r *Recorder) DrawInstances(kind string, positions []byte) {
	r.Calls = append(r.Calls, positions)
	r.Log = append(r.Log, fmt.Sprint(kind, " ", len(positions)/12))
}

// Go returns the go command that built a test. What would be looked for in PATH lets the outcome of
// the test be kept for that PATH alone.
func Go() string {
	if build.Default.GOROOT == "" { // with -trimpath
		return "go"
	}
	return filepath.Join(build.Default.GOROOT, "bin", "go")
}
