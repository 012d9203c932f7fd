//go:build unix

package gym

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"syscall"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/unsafeutil"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/delta"
	"github.com/flatecs/flatecs/world/pool"
	"github.com/flatecs/flatecs/world/record"
)

// worlds is the host of an Env.
type worlds[O, A Value] struct {
	game   *Env[O, A]
	config *config
	shared block[O, A]
	rows   int         // per world
	over   []bool      // of a column: the next step starts another episode
	first  world.State // empty
	pool   *pool.Pool  // for one more world, to restore into
	states []world.State
	tapes  []*record.Recorder // per recorded world
	deltas delta.Coder
}

func (e *Env[O, A]) open(c *config) (map[string]any, doer, error) {
	if err := e.check(c); err != nil {
		return nil, nil, err
	}
	w, n := &worlds[O, A]{game: e, config: c, rows: 1}, c.Envs
	if c.Column {
		w.rows, n, w.over = c.Envs, 1, make([]bool, c.Envs)
	}
	acts, sees := size(e.Action.Shape), size(e.Observation.Shape)
	shared, at, err := newBlock[O, A](c.Memory, c.Envs, acts, sees)
	counts := e.Counts(w.rows)
	counts.Random = true
	if err == nil {
		w.first, err = world.CreateState(counts)
	}
	if err == nil {
		w.pool, err = pool.New(w.first, n+1)
	}
	if err != nil {
		return nil, nil, err
	}
	w.shared, w.tapes = shared, make([]*record.Recorder, n)
	w.states, err = w.pool.Fork(nil, w.first, n)
	return map[string]any{
		"Name": e.Name, "Observation": e.Observation, "Action": e.Action, "At": at,
		"Types": []string{fmt.Sprintf("%T", *new(A)), fmt.Sprintf("%T", *new(O))},
	}, w.do, err
}

// do carries out a request.
func (w *worlds[O, A]) do(q *request) (result []byte, err error) {
	first, n, i := int(q.First), int(q.N), int(q.From)
	if q.Op == 'e' { // the agent has ended
		for i, s := range w.states {
			err = errors.Join(err, w.endTape(i, s))
		}
		return nil, err
	}
	if w.rows > 1 {
		if q.Op != 'd' && (q.Op != 'b' && q.Op != 's' || n < w.rows) {
			return nil, errors.New("gym: all environments are one world; ask for column=False")
		}
		first, n, i = 0, 1, 0
	}
	switch q.Op {
	case 'b', 's':
		do := w.begin
		if q.Op == 's' {
			do = w.take
		}
		return nil, w.pool.Step(w.states[first:first+n], w.config.Workers,
			func(k int, s world.State) (world.State, error) { return do(first+k, s) })
	case 'f':
		return nil, w.fork(i, first, n)
	case 'w':
		seed := binary.LittleEndian.AppendUint64(nil, w.shared.seeds[i])
		return w.deltas.Append(seed, w.first, w.states[i])
	case 'r':
		return nil, w.restore(i, q.bytes)
	case 'd':
		return binary.LittleEndian.AppendUint64(nil, world.Digest(w.states[i])), nil
	case 't':
		return nil, w.record(i, string(q.bytes))
	case 'p':
		return w.replay(string(q.bytes))
	}
	return nil, fmt.Errorf("gym: operation %d is unknown; take flatecs_gym.py of this game", q.Op)
}

// of returns the part of the block for a world.
func (w *worlds[O, A]) of(i int) block[O, A] {
	b, at, end := &w.shared, i*w.rows, (i+1)*w.rows
	acts, sees := len(b.actions)/len(b.seeds), len(b.observations)/len(b.seeds)
	return block[O, A]{
		b.seeds[at:end], b.rewards[at:end], b.terminated[at:end], b.truncated[at:end],
		b.actions[at*acts : end*acts], b.observations[at*sees : end*sees],
	}
}

// look writes the observations, rewards and ends of a world.
func (w *worlds[O, A]) look(b block[O, A], s world.State) {
	w.game.Reward(b.rewards, s)
	w.game.Done(b.terminated, b.truncated, s)
	w.game.Observe(b.observations, s)
}

// begin starts the episode of a world from the seed in the block.
func (w *worlds[O, A]) begin(i int, s world.State) (world.State, error) {
	b, err := w.of(i), w.endTape(i, s)
	s, err2 := pool.Copy(s, w.first)
	if err := errors.Join(err, err2); err != nil {
		return s, err
	}
	s = w.game.Reset(systems.SetSeed(s, b.seeds[0]), w.rows)
	w.look(b, s)
	clear(b.rewards)
	return s, nil
}

// take takes a step of a world with its actions. A finished episode is followed by the next one.
func (w *worlds[O, A]) take(i int, s world.State) (world.State, error) {
	b, sum := w.of(i), float32(0)
	for k := range w.over {
		w.over[k] = b.terminated[k] || b.truncated[k]
	}
	if w.rows == 1 && (b.terminated[0] || b.truncated[0]) {
		r := systems.NewStream(b.seeds[0], 0)
		b.seeds[0] = r.Uint64()
		return w.begin(i, s)
	}
	b.truncated[0] = true // in case the game panics
	for range w.config.Frames {
		if r := w.tapes[i]; r != nil {
			if err := r.Record(s, unsafeutil.Bytes(b.actions)); err != nil {
				w.tapes[i] = nil
				return s, err
			}
		}
		s = w.game.Step(s, b.actions)
		w.game.Reward(b.rewards, s)
		w.game.Done(b.terminated, b.truncated, s)
		if sum += b.rewards[0]; b.terminated[0] || b.truncated[0] {
			break
		}
	}
	if b.rewards[0] = sum; w.rows > 1 {
		s = w.game.Again(s, w.over)
	}
	for k, is := range w.over {
		if is {
			b.rewards[k], b.terminated[k], b.truncated[k] = 0, false, false
		}
	}
	w.game.Observe(b.observations, s)
	if b.terminated[0] || b.truncated[0] {
		return s, w.endTape(i, s)
	}
	return s, nil
}

// fork copies a world into n worlds, and ends the recordings of the overwritten worlds.
func (w *worlds[O, A]) fork(from, first, n int) error {
	a := w.of(from)
	for i := first; i < first+n; i++ {
		b, err := w.of(i), w.endTape(i, w.states[i])
		s, err2 := pool.Copy(w.states[i], w.states[from])
		if err := errors.Join(err, err2); err != nil {
			return err
		}
		w.states[i] = s
		b.seeds[0], b.rewards[0] = a.seeds[0], a.rewards[0]
		b.terminated[0], b.truncated[0] = a.terminated[0], a.truncated[0]
		copy(b.observations, a.observations)
	}
	return nil
}

// restore restores a world from a seed, and from its delta to the empty world.
func (w *worlds[O, A]) restore(i int, state []byte) error {
	s, err := w.deltas.Apply(world.Must(w.pool.Take()), state[min(8, len(state)):])
	if err != nil {
		w.pool.Put(s)
		return fmt.Errorf("gym: no state of this game: %w", err)
	}
	err = w.endTape(i, w.states[i])
	w.pool.Put(w.states[i])
	w.states[i], w.shared.seeds[i] = s, binary.LittleEndian.Uint64(state)
	w.look(w.of(i), s)
	return err
}

// record records a world until the end of its episode, with a description of the game that flatecs
// replay reads.
func (w *worlds[O, A]) record(i int, path string) error {
	err := w.endTape(i, w.states[i])
	r, err2 := record.Create(path, w.states[i], record.Options{
		Program: fmt.Sprintf(`{"Scene":%q,"Behaviour":%d,"Seed":%d}`, w.game.Name, w.game.Behaviour,
			w.shared.seeds[i]),
		Digests: 1, Wait: true,
	})
	w.tapes[i] = r
	return errors.Join(err, err2)
}

// endTape ends the recording of a world, if any.
func (w *worlds[O, A]) endTape(i int, s world.State) (err error) {
	if r := w.tapes[i]; r != nil {
		w.tapes[i], err = nil, r.End(s)
	}
	return err
}

// replay replays a recording, compares digests, and returns the frames, each after its step:
//
//	digest uint64, reward float32, terminated, truncated bool; action; observation
func (w *worlds[O, A]) replay(path string) (frames []byte, err error) {
	f, err := record.Read(path)
	if err != nil {
		return nil, err
	}
	b := block[O, A]{rewards: make([]float32, 1), terminated: make([]bool, 1)}
	b.truncated, b.actions = make([]bool, 1), make([]A, size(w.game.Action.Shape))
	b.observations = make([]O, size(w.game.Observation.Shape))
	input, seen := unsafeutil.Bytes(b.actions), unsafeutil.Bytes(b.observations)
	first, next := f.Frames()
	if most := maxBytes / (14 + len(input) + len(seen)); next-first > most ||
		next > first && f.Head.InputBytes != len(input) {
		return nil, fmt.Errorf("gym: %s has %d frames of %d bytes; give up to %d of %d, or replay "+
			"it by record.Replay", path, next-first, f.Head.InputBytes, most, len(input))
	}
	step := func(s world.State, recorded []byte) world.State {
		copy(input, recorded)
		return w.game.Step(s, b.actions)
	}
	o := record.Options{AnyBuild: true}
	err = f.Replay(world.CountsOf(w.first), step, o, func(s world.State) {
		w.look(b, s)
		ends := []bool{b.terminated[0], b.truncated[0]}
		for _, part := range []any{world.Digest(s), b.rewards, ends, input, seen} {
			frames = world.Must(binary.Append(frames, binary.LittleEndian, part))
		}
	})
	return frames, err
}

// A block is the memory that the game and the agent share: one array after the other, each aligned
// to 64 bytes, with a row per environment.
type block[O, A Value] struct {
	seeds        []uint64 // of the episodes
	rewards      []float32
	terminated   []bool
	truncated    []bool
	actions      []A // written by the agent
	observations []O
}

// newBlock maps the block of n environments, and returns the offsets of its arrays, and of its end.
func newBlock[O, A Value](file, n, acts, sees int) (b block[O, A], at [7]uint64, err error) {
	var all []byte
	sizes := [6]int{8, 4, 1, 1, acts * unsafeutil.SizeOf[A](), sees * unsafeutil.SizeOf[O]()}
	for i, size := range sizes {
		at[i+1] = at[i] + (uint64(n)*uint64(size)+63)&^63
	}
	const rights = syscall.PROT_READ | syscall.PROT_WRITE
	end := int(min(at[6], math.MaxInt)) // larger than any file
	if err = syscall.Ftruncate(file, int64(end)); err == nil {
		all, err = syscall.Mmap(file, 0, end, rights, syscall.MAP_SHARED)
	}
	if err != nil {
		return b, at, fmt.Errorf("gym: %d bytes to share: %w; have fewer environments, and start "+
			"the game by flatecs_gym.py", at[6], err)
	}
	array := func(i int) []byte { return all[at[i]:][:n*sizes[i]] }
	return block[O, A]{
		unsafeutil.Slice[uint64](array(0)), unsafeutil.Slice[float32](array(1)),
		unsafeutil.Records[bool](array(2)), unsafeutil.Records[bool](array(3)),
		unsafeutil.Slice[A](array(4)), unsafeutil.Slice[O](array(5)),
	}, at, nil
}
