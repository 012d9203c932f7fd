//go:build unix

package gym

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/x448/float16"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/unsafeutil"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/record"
)

// A model is one environment of walks, played without a gym.
type model struct {
	env    *Env[float32, uint8]
	seed   uint64
	s      world.State
	reward float32
	ends   [2]bool
}

func (m *model) begin() {
	c := m.env.Counts(1)
	c.Seed, c.Random = m.seed, true
	m.s = m.env.Reset(world.Must(world.CreateState(c)), 1)
	m.reward, m.ends = 0, [2]bool{}
}

func (m *model) step(action uint8, frames int) {
	if m.ends != [2]bool{} {
		r := systems.NewStream(m.seed, 0)
		m.seed = r.Uint64()
		m.begin()
		return
	}
	m.reward = 0
	for range frames {
		m.s = m.env.Step(m.s, []uint8{action})
		x := world.View(m.s, at)[0]
		m.reward += float32(x)
		if m.ends = [2]bool{x < 0 || x >= 20, world.View(m.s, since)[0] >= 12}; m.ends != [2]bool{} {
			break
		}
	}
}

// Environments are what the game is where each is played alone: worlds, observations, rewards, ends
// and next episodes, for any number of workers, and several frames of an action.
func TestEnvironmentsAreTheGame(t *testing.T) {
	const n = 37
	env := walks(plain)
	for workers, frames := range map[int]int{1: 1, 2: 3, 5: 1} {
		a := start(t, config{Envs: n, Frames: frames, Workers: workers}, env.open)
		models := make([]model, n)
		a.begin(n, ^uint64(3)) // seeds go round
		for i := range models {
			models[i] = model{env: env, seed: ^uint64(3) + uint64(i)}
			models[i].begin()
		}
		r := systems.NewStream(1, uint64(workers))
		ends := 0
		for range 60 {
			actions := array[uint8](a, 4, n)
			for i := range actions {
				actions[i] = uint8(r.IntN(3))
			}
			first := r.IntN(n)
			count := 1 + r.IntN(n-first)
			a.do('s', first, count, 0)
			for i := range models {
				m := &models[i]
				if i >= first && i < first+count {
					m.step(actions[i], frames)
				}
				want := make([]float32, 2)
				env.Observe(want, m.s)
				require.Equal(t, want, array[float32](a, 5, 2*n)[2*i:][:2])
				require.Equal(t, world.Digest(m.s), a.digest(i))
				require.Equal(t, m.seed, array[uint64](a, 0, n)[i])
				require.Equal(t, m.reward, array[float32](a, 1, n)[i])
				require.Equal(t, m.ends[0], array[uint8](a, 2, n)[i] == 1)
				require.Equal(t, m.ends[1], array[uint8](a, 3, n)[i] == 1)
				if m.ends[0] {
					ends++
				}
			}
		}
		require.Greater(t, ends, n)
	}
}

// A fork, and a state that is restored, has the future of the environment that it was taken from,
// also where its episode was over.
func TestForksAndStatesHaveOneFuture(t *testing.T) {
	const n = 5
	a := start(t, config{Envs: n, Frames: 1}, walks(plain).open)
	a.begin(n, 1)
	actions := array[uint8](a, 4, n)
	everything := func(i int) []any {
		return []any{
			a.digest(i), array[uint64](a, 0, n)[i], array[uint8](a, 2, n)[i],
			array[uint8](a, 3, n)[i], [2]float32(array[float32](a, 5, 2*n)[2*i:]),
		}
	}
	for frame := range 40 {
		for i := range actions {
			actions[i] = uint8((frame + i) % 3)
		}
		a.do('s', 0, n, 0)
		then := everything(2)
		a.do('r', 0, 1, 0, a.do('w', 0, 1, 2)...)
		require.Equal(t, then, everything(0))
		a.do('f', 3, 2, 2)
		require.Equal(t, then, everything(3))
		for i := range actions {
			actions[i] = 2
		}
		a.do('s', 0, n, 0)
		for _, i := range []int{0, 3, 4} {
			require.Equal(t, everything(2), everything(i), frame)
		}
		require.NotEqual(t, a.digest(1), a.digest(2))
	}
}

// Observations of all types are what the game wrote.
func TestObservationsHaveTheirTypes(t *testing.T) {
	a := start(t, config{Envs: 2, Frames: 1}, walks(float16.Fromfloat32).open)
	b := start(t, config{Envs: 2, Frames: 1}, walks(func(x float32) uint8 { return uint8(x) }).open)
	c := start(t, config{Envs: 2, Frames: 1}, walks(func(x float32) int32 { return int32(x) }).open)
	for a, want := range map[*agent]string{a: "float16.Float16", b: "uint8", c: "int32"} {
		a.begin(2, 7)
		assert.Equal(t, `["uint8","`+want+`"]`, string(a.spec["Types"]))
	}
	for i, x := range array[int32](c, 5, 4) {
		assert.Equal(t, float32(x), float16.Float16(array[uint16](a, 5, 4)[i]).Float32())
		assert.Equal(t, uint8(x), array[uint8](b, 5, 4)[i])
	}
}

// What is recorded is an episode to its end; it replays with the digests that the agent saw, in Go,
// too. A fork, a restored state, and another episode end it.
func TestEpisodesReplay(t *testing.T) {
	env, dir := walks(plain), t.TempDir()
	path := filepath.Join(dir, "episode")
	a := start(t, config{Envs: 3, Frames: 2}, env.open)
	a.begin(3, 4)
	a.do('t', 0, 1, 1, []byte(path)...)
	var digests []uint64
	for frame := 0; array[uint8](a, 3, 3)[1] == 0; frame++ {
		array[uint8](a, 4, 3)[1] = uint8(frame % 3)
		a.do('s', 0, 3, 0)
		digests = append(digests, a.digest(1))
	}
	const size = 14 + 1 + 8
	frames := a.do('p', 0, 1, 0, []byte(path)...)
	require.Len(t, frames, 12*size)
	for i, want := range digests {
		require.Equal(t, want, binary.LittleEndian.Uint64(frames[(2*i+1)*size:]))
	}
	require.Equal(t, []byte{0, 1, 2}, frames[11*size+12:][:3])
	require.Equal(t, unsafeutil.Bytes(array[float32](a, 5, 6)[2:4]), frames[11*size+15:])
	c := env.Counts(1)
	c.Random = true
	last := uint64(0)
	require.NoError(t, record.Replay(path, c, env.Step, record.Options{}, func(s world.State) {
		last = world.Digest(s)
	}))
	require.Equal(t, digests[len(digests)-1], last)
	f := world.Must(record.Read(path))
	assert.JSONEq(t, `{"Scene":"walks","Behaviour":3,"Seed":5}`, f.Head.Program)

	state := a.do('w', 0, 1, 1)
	for i, end := range []func(){
		func() { a.do('f', 0, 3, 0) }, func() { a.do('r', 0, 1, 1, state...) },
		func() { a.do('b', 0, 3, 0) },
	} {
		path := filepath.Join(dir, string(rune('a'+i)))
		a.begin(3, 1)
		a.do('t', 0, 1, 1, []byte(path)...)
		a.do('s', 0, 3, 0)
		end()
		a.do('s', 0, 3, 0)
		require.Len(t, a.do('p', 0, 1, 0, []byte(path)...), 2*size)
	}
	env.Step = func(s world.State, _ []uint8) world.State { return world.Advance(s) }
	_, err := a.ask('p', 0, 1, 0, []byte(path)...)
	require.ErrorContains(t, err, "at")
}

// Requests that name what there is not are refused, and change nothing.
func TestWrongRequestsChangeNothing(t *testing.T) {
	a := start(t, config{Envs: 3, Frames: 1}, walks(plain).open)
	a.begin(3, 1)
	state := a.do('w', 0, 1, 1)
	was := bytes.Clone(a.bytes)
	for _, c := range []struct {
		op             rune
		first, n, from int
		bytes          []byte
		want           string
	}{
		{'s', 0, 4, 0, nil, "4 environments from 0 on"},
		{'b', math.MaxInt32, 2, 0, nil, "from 2147483647 on"},
		{'f', 0, 1, 3, nil, "number 3; there are 0 to 2"},
		{'r', 0, 1, 0, nil, "no state of this game"},
		{'r', 0, 1, 0, state[:len(state)-1], "no state of this game"},
		{'p', 0, 1, 0, []byte("none"), "none"},
		{'t', 0, 1, 0, []byte("/dev/null/x"), "not a directory"},
		{'x', 0, 1, 0, nil, "operation 120 is unknown"},
	} {
		_, err := a.ask(c.op, c.first, c.n, c.from, c.bytes...)
		require.ErrorContains(t, err, c.want)
		require.Equal(t, was, a.bytes, c.want)
		require.Equal(t, state, a.do('w', 0, 1, 1))
	}
}

// A game that panics is an error that names the environment, which starts again at the next step;
// the others were stepped.
func TestAPanicIsAnError(t *testing.T) {
	a := start(t, config{Envs: 3, Frames: 1}, walks(plain).open)
	a.begin(3, 1)
	actions := array[uint8](a, 4, 3)
	copy(actions, []uint8{1, 3, 1})
	_, err := a.ask('s', 0, 3, 0)
	require.ErrorContains(t, err, "world 1: a broken game")
	assert.Equal(t, float32(1), array[float32](a, 5, 6)[1], "environment 0 was stepped")
	actions[1] = 1
	a.do('s', 0, 3, 0)
	assert.NotEqual(t, uint64(2), array[uint64](a, 0, 3)[1])
	assert.Zero(t, array[float32](a, 5, 6)[3])
}

// What is wrong with a game, or with what is asked for, is said before anything is made.
func TestGamesAreChecked(t *testing.T) {
	for want, broken := range map[string]func(e *Env[float32, uint8], c *config){
		"Done is nil":     func(e *Env[float32, uint8], _ *config) { e.Reset = nil },
		"of shape [0]":    func(e *Env[float32, uint8], _ *config) { e.Observation.Shape = []int{0} },
		"N -1":            func(e *Env[float32, uint8], _ *config) { e.Action.N = -1 },
		"0 environments":  func(_ *Env[float32, uint8], c *config) { c.Envs = 0 },
		"0 frames":        func(_ *Env[float32, uint8], c *config) { c.Frames = 0 },
		"5000 workers":    func(_ *Env[float32, uint8], c *config) { c.Workers = 5000 },
		"a column needs":  func(_ *Env[float32, uint8], c *config) { c.Column = true },
		"bytes to share:": func(e *Env[float32, uint8], c *config) { e.Observation.Shape, c.Envs = []int{1 << 24}, 1<<20 },
	} {
		e, c := walks(plain), config{Envs: 1, Frames: 1}
		broken(e, &c)
		a := start(t, c, e.open)
		assert.Contains(t, string(a.spec["Error"]), want)
		assert.ErrorContains(t, <-a.ended, want)
	}
}

// A stream that is no agent's, or is cut off, ends the game with an error.
func TestStreamsOfOthersEndTheGame(t *testing.T) {
	const asked = `{"Envs": 1, "Frames": 1, "Memory": 2000000000}` + "\n"
	for stream, want := range map[string]string{
		"": "no line of JSON", "GET / \r\n": "start the game by flatecs_gym.py",
		asked: "bytes to share: bad file descriptor",
	} {
		require.ErrorContains(t, serve(strings.NewReader(stream), io.Discard, walks(plain).open), want)
	}
	for text, want := range map[string]string{
		strings.Repeat("\xff", 20): "a request of 4294967295 bytes", "\x00": "unexpected EOF",
		strings.Repeat("\x01", 20) + "x": "cut off after 1 of 16843009 bytes",
	} {
		require.ErrorContains(t, answer(strings.NewReader(text), io.Discard, nil, 1), want)
	}
}
