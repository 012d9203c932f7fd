package world_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/delta"
	"github.com/flatecs/flatecs/world/history"
	"github.com/flatecs/flatecs/world/record"
	"github.com/flatecs/flatecs/world/save"
	"github.com/flatecs/flatecs/world/timeline"
	"github.com/flatecs/flatecs/world/why"
)

// The calls that README.md lists as one call each.
func Example_oneCall() {
	counts := world.Counts{Recipes: []world.Recipe{Balloon}}
	step := func(s world.State, _ []byte) world.State { return Move(s, 1) }
	dir, err := os.MkdirTemp("", "flatecs-")
	path := filepath.Join(dir, "a.flat")
	check := func(more error) { err = errors.Join(err, more) }
	state := world.Must(world.CreateState(counts))
	past := world.Must(history.New(state, 10, 0))
	snapshot := world.Must(world.NewSnapshot(state))
	timeline := world.Must(timeline.New(state,
		timeline.Options{Step: step, Frames: 1_000_000}))
	recorded := why.Past{Timeline: timeline}
	box := filepath.Join(dir, "blackbox")
	rec := world.Must(record.Create(box, state, record.Options{}))
	defer func() {
		world.Close(state)
		past.Close()
		snapshot.Close()
		timeline.Close()
		_ = os.RemoveAll(dir)
	}()
	height := func(s world.State) float32 { return world.View(s, Position)[0].Y }

	state = world.Must(world.SpawnN(state, Balloon, 1_000, nil))
	check(past.Record(state, nil))
	check(timeline.Record(state, nil))
	state = step(state, nil)
	fmt.Println("now", height(state))

	check(save.Save(path, state, save.Options{}))
	check(snapshot.Take(state))
	fork := world.Must(world.Clone(state))
	fork = step(fork, nil)
	fmt.Println("fork", height(fork), "equal", world.Equal(state, fork))
	where, _, differErr := tool.FirstDifference(state, fork)
	check(differErr)
	fmt.Println("they differ in", where.Part)
	change := world.Must(delta.Append(nil, state, fork))
	fmt.Println("the change is smaller", len(change) < len(world.Bytes(state)))

	state = step(step(state, nil), nil)
	state = world.Must(world.Restore(state, snapshot))
	fmt.Println("restored", height(state), world.Digest(state) == snapshot.Digest())
	state = world.Must(past.Resimulate(state, 0, step))
	fmt.Println("replayed", height(state))
	fmt.Println("before", height(world.Must(timeline.At(0))))
	balloon, _ := moving.First(state)
	wrote, whyErr := recorded.Wrote(balloon, Position, why.Now)
	check(whyErr)
	fmt.Println(wrote)
	state = world.Must(past.Rollback(state, 0))
	fmt.Println("rewound", height(state))
	input := []byte{}
	state, err = rec.Step(state, input, step)
	check(err)
	check(rec.Close())
	check(record.Replay(box, counts, step, record.Options{}, nil))
	world.Close(fork)
	fork, _, err = save.Load(path, counts, save.Options{})
	check(err)
	fmt.Println("loaded", height(fork), err)
	world.Close(fork)
	// Output:
	// now 5
	// fork 10 equal false
	// they differ in position.Y
	// the change is smaller true
	// restored 5 true
	// replayed 5
	// before 0
	// tick 1, frame 0, outside of jobs: position of object 0: {X:0 Y:0 Z:0} → {X:0 Y:5 Z:0}
	// rewound 0
	// loaded 5 <nil>
}

// Every call that the README's table shows is made in Example_oneCall.
func TestTheReadmesCallsAreTested(t *testing.T) {
	_, table, found := strings.Cut(read(t, "README.md"), "## What you can do in one call")
	require.True(t, found)
	table, _, _ = strings.Cut(table, "\n## ")
	source := read(t, "world/example_onecall_test.go")
	calls := 0
	for line := range strings.SplitSeq(table, "\n") {
		if columns := strings.Split(line, "|"); len(columns) > 3 && strings.Contains(columns[2], "`") {
			calls++
			assert.Contains(t, source, strings.Trim(columns[2], " `"), line)
		}
	}
	assert.Positive(t, calls)
}

func read(t *testing.T, page string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", page))
	require.NoError(t, err)
	return string(text)
}
