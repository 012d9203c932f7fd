package systems

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

// A pair is two equal worlds. One is changed by commands; when it applies them, the other is changed
// directly, by one call after the other.
type pair struct {
	r        *rand.Rand
	recorded State
	direct   State
	pending  []directly
	ids      []GameObject              // of objects alive, dead, and out of range
	created  []GameObject              // by the commands that are pending, and a few from before
	real     map[GameObject]GameObject // of those created in this round
	outcomes map[string]int
}

// directly is what a command does, without being recorded.
type directly struct {
	name string
	kind string     // or recipe; "" if there is none
	id   GameObject // as recorded
	call func(State, GameObject) (State, error)
}

func newPair(t *testing.T, seed uint64) *pair {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 2))
	objects := []int{60, 2500, 300}[seed%3] // without and with slabs
	counts := Counts{
		GameObjects: objects, Commands: 300,
		Recipes: []Recipe{recipeAC, recipeAB}, InOrder: r.IntN(2) == 0,
		Kinds: []layout.Count{
			kindA.Count(objects), kindB.Count([]int{20, 20, 200}[seed%3]),
			{Kind: kindC, Rows: objects / 2, Packed: r.IntN(2) == 0},
			markX.Count(0), markY.Count(0), Position.Count(25),
		},
	}
	if seed%2 == 0 {
		counts.Watchers = []Watcher{
			NewWatcher(NewQuery(With(kindA), Without(markX))), NewWatcher(NewQuery(Without(kindB))),
		}
	}
	return &pair{
		r:        r,
		recorded: sure(CreateState(counts)), direct: sure(CreateState(counts)),
		ids:  []GameObject{0, 1<<32 | 2500, 9<<32 | 3},
		real: map[GameObject]GameObject{}, outcomes: map[string]int{},
	}
}

// someone returns an id: of an object, of a creation that is pending, or of neither.
func (p *pair) someone() GameObject {
	if n := len(p.created); n > 0 && p.r.IntN(3) == 0 {
		return p.created[p.r.IntN(n)]
	}
	return p.ids[p.r.IntN(len(p.ids))]
}

func (p *pair) keep(name, kind string, id GameObject, call func(State, GameObject) (State, error)) {
	p.pending = append(p.pending, directly{name, kind, id, call})
}

// record records a random command, and keeps what it does.
func (p *pair) record() {
	c, id, k := Record(p.recorded), p.someone(), tried[p.r.IntN(len(tried))]
	x, y := p.r.Float32(), uint8(p.r.Uint32())
	switch p.r.IntN(24) {
	case 0:
		p.recordNew("create", "", c.Create(), CreateGameObject)
	case 12:
		recipe := []Recipe{recipeAC, recipeAB}[p.r.IntN(2)]
		p.recordNew("spawn", recipe.String(), c.Spawn(recipe), func(s State) (State, GameObject, error) {
			return Spawn(s, recipe)
		})
	case 1, 13:
		p.recordDispose(id, func() { c.Dispose(id) })
	case 2, 3, 4, 5, 14, 15, 16, 17:
		c.Add(id, k)
		p.keepAdd(id, k)
	case 6, 7, 18, 19:
		c.Remove(id, k)
		p.keepRemove(id, k)
	case 8, 20:
		Put(c, id, Position, [3]float32{x, -x, 2 * x})
		p.keep("put", "position", id, putting(Position, [3]float32{x, -x, 2 * x}))
	case 9, 21:
		Put(c, id, fieldC, [5]uint8{y, y + 1, y + 2, y + 3, y + 4})
		p.keep("put", "C", id, putting(fieldC, [5]uint8{y, y + 1, y + 2, y + 3, y + 4}))
	case 10, 22:
		Replace(c, id, fieldB2, [2]float64{float64(x), -1})
		p.keep("replace", "B", id, setting(fieldB2, [2]float64{float64(x), -1}))
	case 11, 23:
		Replace(c, id, fieldA, [3]float32{x, x, -x})
		p.keep("replace", "A", id, setting(fieldA, [3]float32{x, x, -x}))
	}
}

// like records one change of several objects, which may be carried out block by block.
func (p *pair) like() {
	k, recipe := tried[p.r.IntN(len(tried))], []Recipe{recipeAC, recipeAB}[p.r.IntN(2)]
	c, n, command := Record(p.recorded), 1+p.r.IntN(100), p.r.IntN(5)
	from, back, x := p.r.IntN(len(p.ids)), p.r.IntN(4) == 0, p.r.Float32()
	for i := range n {
		if back {
			i = n - 1 - i
		}
		switch id := p.ids[(from+i)%len(p.ids)]; command {
		case 0:
			value := [3]float32{x, float32(i)}
			made := c.Spawn(recipe, fieldA.Value(value))
			p.recordNew("spawn", recipe.String(), made, func(s State) (State, GameObject, error) {
				s, id, err := Spawn(s, recipe)
				if err == nil {
					s, err = Set(s, id, fieldA, value)
				}
				return s, id, err
			})
		case 1:
			p.recordNew("create", "", c.Create(), CreateGameObject)
		case 2:
			p.recordDispose(id, func() { c.Dispose(id) })
		case 3:
			c.Add(id, k)
			p.keepAdd(id, k)
		case 4:
			c.Remove(id, k)
			p.keepRemove(id, k)
		}
	}
}

func (p *pair) recordNew(
	name, recipe string, id GameObject, create func(State) (State, GameObject, error),
) {
	p.created = append(p.created, id)
	p.keep(name, recipe, 0, func(s State, _ GameObject) (State, error) {
		s, made, err := create(s)
		p.real[id] = made
		if err == nil {
			p.ids = append(p.ids, made)
		}
		return s, err
	})
}

func (p *pair) recordDispose(id GameObject, record func()) {
	record()
	known := id.Recorded() || Alive(p.recorded, id)
	p.keep("dispose", "", id, func(s State, id GameObject) (State, error) {
		if known && !Alive(s, id) {
			return s, nil
		}
		return DisposeGameObject(s, id)
	})
}

func (p *pair) keepAdd(id GameObject, k Kind) {
	p.keep("add", k.String(), id, func(s State, id GameObject) (State, error) {
		s, err := Add(s, id, k)
		return s, err
	})
}

func (p *pair) keepRemove(id GameObject, k Kind) {
	p.keep("remove", k.String(), id, func(s State, id GameObject) (State, error) { return Remove(s, id, k) })
}

func setting[T any](f layout.Field[T], value T) func(State, GameObject) (State, error) {
	return func(s State, id GameObject) (State, error) { return Set(s, id, f, value) }
}

func putting[T any](f layout.Field[T], value T) func(State, GameObject) (State, error) {
	return func(s State, id GameObject) (State, error) {
		s, err := Add(s, id, f.Kind())
		if err != nil && !errors.Is(err, ErrTwice) {
			return s, err
		}
		return Set(s, id, f, value)
	}
}

// walk records random commands through the batches of a walk.
func (p *pair) walk() {
	q := commandQueries[p.r.IntN(len(commandQueries))]
	for b := range q.In(p.recorded) {
		for i := range b.Len() {
			id, k := b.ID(i), tried[p.r.IntN(len(tried))]
			switch p.r.IntN(40) {
			case 0:
				p.recordDispose(id, func() { b.Dispose(i) })
			case 1:
				b.Add(i, k)
				p.keepAdd(id, k)
			case 2:
				b.Remove(i, k)
				p.keepRemove(id, k)
			}
		}
	}
}

var commandQueries = []Query{
	NewQuery(Read(fieldA)), inCopies(NewQuery(Read(fieldA, fieldC))), NewQuery(With(markX)),
}

// apply changes both worlds, and compares what was refused and the bytes.
func (p *pair) apply() error {
	if !bytes.Equal(Bytes(p.recorded), Bytes(p.direct)) {
		return errors.New("recording changes the world")
	}
	want := map[int]error{}
	for n, d := range p.pending {
		var before []byte
		if n%16 == 0 {
			before = image(p.direct)
		}
		if err := p.call(d); err != nil {
			if n%16 == 0 && !bytes.Equal(before, Bytes(p.direct)) {
				return fmt.Errorf("%s changes the world and is refused: %w", d.name, err)
			}
			want[n] = err
			p.outcomes[d.name+": "+errors.Unwrap(err).Error()]++
		} else {
			p.outcomes[d.name]++
		}
	}
	var err error
	p.recorded, err = Apply(p.recorded)
	if err := p.compare(want, err); err != nil {
		return err
	}
	p.recorded, p.direct = Advance(p.recorded), Advance(p.direct)
	p.pending, p.real = p.pending[:0], map[GameObject]GameObject{}
	p.created = p.created[max(0, len(p.created)-2):]
	if !bytes.Equal(Bytes(p.recorded), Bytes(p.direct)) {
		d, _, err := firstDifference(p.direct, p.recorded)
		return fmt.Errorf("the worlds differ: %v %w", d, err)
	}
	return nil
}

// call does directly what was recorded.
func (p *pair) call(d directly) error {
	id := d.id
	if made, ok := p.real[id]; ok {
		id = made
	}
	if (id == 0 || id.Recorded()) && d.name != "create" && d.name != "spawn" {
		return fmt.Errorf("no object: %w", ErrDead)
	}
	var err error
	p.direct, err = d.call(p.direct, id)
	return err
}

// compare checks that the commands in want were refused, for these reasons, and no others.
func (p *pair) compare(want map[int]error, got error) error {
	refused := 0
	if joined, ok := got.(interface{ Unwrap() []error }); ok {
		for _, err := range joined.Unwrap() {
			e, refusal := err.(*CommandError), want[err.(*CommandError).Number]
			if refusal == nil || !errors.Is(e, errors.Unwrap(refusal)) || e.Command != p.pending[e.Number].name ||
				e.ID != p.pending[e.Number].id || e.Kind != p.pending[e.Number].kind {
				return fmt.Errorf("refused %w, want %v", err, refusal)
			}
			refused++
		}
	}
	if refused != len(want) {
		return fmt.Errorf("%d commands refused, want %d", refused, len(want))
	}
	return nil
}

// forget drops most of the ids that are dead, and at times puts the others into their order.
func (p *pair) forget() {
	p.ids = append(p.ids[:3], slices.DeleteFunc(p.ids[3:], func(id GameObject) bool {
		return !Alive(p.direct, id) && p.r.IntN(4) != 0
	})...)
	if p.r.IntN(12) == 0 {
		ascending(p.ids[3:])
	}
}

// TestCommandsAgainstCalls compares random commands, and many that are alike, with the same changes
// done directly.
func TestCommandsAgainstCalls(t *testing.T) {
	OneGoroutine(t)
	rounds := 1000
	if !atLength() {
		rounds = 200
	}
	outcomes := map[string]int{}
	for seed := range uint64(6) {
		p := newPair(t, seed)
		for round := range rounds {
			if seed%3 == 2 && p.r.IntN(3) > 0 {
				for range 1 + p.r.IntN(3) {
					p.like()
				}
			} else {
				for range p.r.IntN(60) {
					p.record()
				}
				p.walk()
			}
			if err := p.apply(); err != nil {
				t.Fatalf("seed %d, round %d: %v", seed, round, err)
			}
			if p.forget(); round%8 == 0 {
				require.NoError(t, ArenaOf(p.recorded).Verify(), "seed %d, round %d", seed, round)
			}
		}
		require.NoError(t, ArenaOf(p.recorded).Verify())
		for name, n := range p.outcomes {
			outcomes[name] += n
		}
	}
	for _, name := range []string{
		"create", "dispose", "add", "remove", "replace", "put", "create: " + ErrTooMany.Error(), "spawn",
		"spawn: " + ErrTooMany.Error(), "spawn: " + ErrFull.Error(),
		"dispose: " + ErrDead.Error(), "dispose: " + ErrOutOfRange.Error(),
		"add: " + ErrTwice.Error(), "add: " + ErrFull.Error(), "add: " + ErrDead.Error(),
		"remove: " + ErrRemove.Error(), "replace: " + ErrAbsent.Error(), "put: " + ErrFull.Error(),
	} {
		if outcomes[name] < 10 && atLength() {
			t.Errorf("%s: only %d times", name, outcomes[name])
		}
	}
	t.Log(outcomes)
}
