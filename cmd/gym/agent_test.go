//go:build unix

package gym

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/unsafeutil"
	"github.com/flatecs/flatecs/world"
)

// An agent is what flatecs_gym.py is, in Go.
type agent struct {
	tb    testing.TB
	spec  map[string]json.RawMessage
	at    [7]int
	bytes []byte // shared
	in    *io.PipeWriter
	out   *io.PipeReader
	ended chan error
}

// start serves a game to an agent.
func start(tb testing.TB, c config, open func(*config) (map[string]any, doer, error)) *agent {
	tb.Helper()
	f, err := os.CreateTemp(tb.TempDir(), "memory")
	require.NoError(tb, err)
	in, to := io.Pipe()
	from, out := io.Pipe()
	a := &agent{tb: tb, in: to, out: from, ended: make(chan error, 1)}
	c.Memory = int(f.Fd())
	go func() {
		err := serve(in, out, open)
		a.ended <- errors.Join(err, in.Close(), out.Close())
	}()
	require.NoError(tb, json.NewEncoder(to).Encode(c))
	var line []byte
	for b := make([]byte, 1); b[0] != '\n'; line = append(line, b[0]) {
		world.Must(io.ReadFull(from, b))
	}
	require.NoError(tb, json.Unmarshal(line, &a.spec))
	if a.spec["Error"] == nil {
		require.NoError(tb, json.Unmarshal(a.spec["At"], &a.at))
		a.bytes, err = syscall.Mmap(c.Memory, 0, a.at[6], syscall.PROT_READ|syscall.PROT_WRITE,
			syscall.MAP_SHARED)
		require.NoError(tb, err)
		tb.Cleanup(func() {
			require.NoError(tb, to.Close())
			require.NoError(tb, <-a.ended)
			require.NoError(tb, syscall.Munmap(a.bytes))
		})
	}
	require.NoError(tb, f.Close())
	return a
}

// ask sends a request, and returns the answer.
func (a *agent) ask(op rune, first, n, from int, bytes ...byte) ([]byte, error) {
	a.tb.Helper()
	var b []byte
	for _, x := range []int{int(op), first, n, from, len(bytes)} {
		b = binary.LittleEndian.AppendUint32(b, uint32(x))
	}
	world.Must(a.in.Write(append(b, bytes...)))
	head := make([]byte, 8)
	world.Must(io.ReadFull(a.out, head))
	result := make([]byte, binary.LittleEndian.Uint32(head[4:]))
	world.Must(io.ReadFull(a.out, result))
	if binary.LittleEndian.Uint32(head) != 0 {
		return nil, errors.New(string(result))
	}
	return result, nil
}

// do is ask for what is not refused.
func (a *agent) do(op rune, first, n, from int, bytes ...byte) []byte {
	a.tb.Helper()
	return world.Must(a.ask(op, first, n, from, bytes...))
}

func (a *agent) digest(i int) uint64 {
	return binary.LittleEndian.Uint64(a.do('d', 0, 1, i))
}

// array returns an array of the block: n elements.
func array[T unsafeutil.Element](a *agent, i, n int) []T {
	return unsafeutil.Slice[T](a.bytes[a.at[i]:][:n*unsafeutil.SizeOf[T]()])
}

// begin begins n episodes from seeds on.
func (a *agent) begin(n int, seed uint64) {
	for i := range n {
		array[uint64](a, 0, n)[i] = seed + uint64(i)
	}
	a.do('b', 0, n, 0)
}

// The game of these tests is a walk on a line, from a random place, to 20 or below 0, that ends
// after 12 frames. Action 3 breaks it.
var (
	at     = layout.NewField[int32]("at")
	since  = layout.NewField[uint8]("since")
	walker = layout.NewKind("walker", at, since)
	one    = world.NewRecipe("walker", walker)
	all    = world.NewQuery(world.Write(at, since))
)

func walks[O Value](number func(float32) O) *Env[O, uint8] {
	return &Env[O, uint8]{
		Name: "walks", Behaviour: 3, Observation: Space{Shape: []int{2}}, Action: Space{N: 4},
		Counts: func(n int) world.Counts {
			return world.Counts{
				GameObjects: n, Kinds: layout.Kinds(walker.Count(n)), Recipes: []world.Recipe{one},
			}
		},
		Reset: func(s world.State, n int) world.State {
			s, r := world.NextStream(s)
			return world.Must(world.SpawnN(s, one, n, func(b world.Batch) {
				for i := range b.Len() {
					world.Column(b, at)[i] = int32(5 + r.IntN(10))
				}
			}))
		},
		Step: func(s world.State, actions []uint8) world.State {
			for b := range all.In(s) {
				for i := range b.Len() {
					action := actions[b.ID(i).Index()]
					if action == 3 {
						panic("a broken game")
					}
					world.Column(b, at)[i] += 3 * (int32(action) - 1)
					world.Column(b, since)[i]++
				}
			}
			return world.Advance(s)
		},
		Observe: func(dst []O, s world.State) {
			for i, x := range world.View(s, at) {
				dst[2*i], dst[2*i+1] = number(float32(x)), number(float32(world.View(s, since)[i]))
			}
		},
		Reward: func(dst []float32, s world.State) {
			for i, x := range world.View(s, at) {
				dst[i] = float32(x)
			}
		},
		Done: func(terminated, truncated []bool, s world.State) {
			for i, x := range world.View(s, at) {
				terminated[i], truncated[i] = x < 0 || x >= 20, world.View(s, since)[i] >= 12
			}
		},
	}
}

func plain(x float32) float32 { return x }
