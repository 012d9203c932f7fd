package command

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/kin"
	"github.com/flatecs/flatecs/systems/internal/structure"
)

// A wide is a value that goes on in the commands behind its own.
type wide struct {
	A [6]uint32
	B gameobject.ID
	C [3]uint64
}

var (
	pairHalf  = layout.NewField[[3]uint16]("half")
	pairXY    = layout.NewField("xy", [2]float32{1, 2})
	pairOne   = layout.NewField[int32]("one")
	pairThree = layout.NewField[[3]float32]("three")
	pairFour  = layout.NewField[[4]uint32]("four")
	pairTwo   = layout.NewKind("two", pairHalf, pairXY, pairOne, pairThree, pairFour)
	pairWide  = layout.NewComponent[wide]("wide")
	pairNext  = layout.NewComponent[gameobject.ID]("next")
	pairMark  = layout.NewMark("mark")
	pairUnder = layout.NewRelation("under", layout.Relation{Disposed: layout.Cascade, Tree: true})

	pairKinds = []layout.Kind{
		pairTwo, pairWide.Kind(), pairNext.Kind(), pairMark, pairUnder.Kind(),
	}
	pairRecipes = [][]layout.Kind{
		{pairTwo, pairWide.Kind(), pairNext.Kind()},
		{pairTwo, pairNext.Kind(), pairMark},
		{pairUnder.Kind(), pairNext.Kind()},
	}
)

// A side is a world as commands see it.
type side struct {
	*manager.Arena
	kin   *kin.World
	pools []*structure.Pool
}

func newSide(t *testing.T, objects, rows int, inOrder, packed bool) *side {
	t.Helper()
	s := manager.Sizes{Objects: objects, InOrder: inOrder, Pools: len(pairRecipes)}
	for _, k := range pairKinds {
		n := k.Counted()
		if n.Packed = packed && k == pairTwo; !k.Spec().Mark {
			n = layout.Count{Kind: k, Rows: rows, Packed: n.Packed}
		}
		s.Kinds = append(s.Kinds, n)
	}
	a, err := manager.NewArena(s)
	require.NoError(t, err)
	w := &side{Arena: a}
	for i, kinds := range pairRecipes {
		p, err := structure.NewPool(a, i, fmt.Sprint("recipe ", i), kinds, nil)
		require.NoError(t, err)
		w.pools = append(w.pools, p)
	}
	w.kin, err = kin.New(a)
	require.NoError(t, err)
	t.Cleanup(func() { w.kin.Free(); a.Free() })
	return w
}

func (w *side) manager(k layout.Kind) *manager.Manager { return w.Find(k.Spec()) }

// An act is a command, and what it does, without being recorded.
type act struct {
	name, kind string
	id         gameobject.ID // as recorded; nobody for creations
	made       gameobject.ID // what stands for the object that it creates
	do         func(w *side, id gameobject.ID) (gameobject.ID, error)
}

// A pair is two equal worlds. One is changed by commands; when it carries them out, the other is
// changed directly, by one call after the other.
type pair struct {
	*testing.T
	r        *rand.Rand
	recorded *side
	direct   *side
	world    Buffer
	task     Buffer
	to       *Buffer // of these two, the one in which is recorded now
	pending  []act
	ids      []gameobject.ID // of objects, alive, dead and out of range
	made     []gameobject.ID // of creations that are pending, and a few from before
	real     map[gameobject.ID]gameobject.ID
	keeps    bool
	done     map[string]int
}

func newPair(t *testing.T, seed uint64) *pair {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 2))
	rows := []int{30, 300, 1500}[seed%3] // without and with slabs
	inOrder, packed := r.IntN(2) == 0, r.IntN(2) == 0
	p := &pair{
		T: t, r: r, recorded: newSide(t, rows+rows/2, rows, inOrder, packed),
		direct: newSide(t, rows+rows/2, rows, inOrder, packed),
		ids:    []gameobject.ID{0, 1<<32 | 2500, 9<<32 | 3}, real: map[gameobject.ID]gameobject.ID{},
		keeps: seed%4 == 3, done: map[string]int{},
	}
	var err error
	p.world, err = New([]int{0, 1, 300}[r.IntN(3)])
	require.NoError(t, err)
	p.task = p.world.ForTask(1)
	p.to = &p.world
	return p
}

// someone returns an object, or a creation.
func (p *pair) someone() gameobject.ID {
	if n := len(p.made); n > 0 && p.r.IntN(3) == 0 {
		return p.made[p.r.IntN(n)]
	}
	return p.ids[p.r.IntN(len(p.ids))]
}

// found returns what an id stands for in the direct world, or why nothing.
func (p *pair) found(w *side, id gameobject.ID) (gameobject.ID, error) {
	if id.Recorded() {
		made, ok := p.real[id]
		if !ok || made == 0 {
			return id, gameobject.ErrDead
		}
		id = made
	}
	if id == 0 {
		return id, gameobject.ErrDead
	}
	return id, w.Objects.Check(id)
}

// value returns a value of a field, and what writes it: of a relation, if it can be written.
func (p *pair) value() (layout.FieldValue, func(w *side, id gameobject.ID) error) {
	x := p.r.Uint32()
	switch p.r.IntN(7) {
	case 0:
		return valued(pairHalf, [3]uint16{uint16(x), 2: 5})
	case 1:
		return valued(pairXY, [2]float32{float32(x), -1})
	case 2:
		return valued(pairWide, wide{A: [6]uint32{x, 4: 1}, B: p.someone(), C: [3]uint64{2: uint64(x)}})
	case 3:
		return valued(pairOne, int32(x))
	case 4:
		return valued(pairThree, [3]float32{1, 2: float32(x)})
	case 5:
		return valued(pairFour, [4]uint32{1, x, 3: x})
	}
	return valued(pairNext, p.someone())
}

func valued[T any](f layout.Field[T], v T) (layout.FieldValue, func(*side, gameobject.ID) error) {
	return f.Value(v), func(w *side, id gameobject.ID) error {
		m := w.manager(f.Kind())
		row, err := m.Get(id.Index())
		if err == nil {
			manager.Column(m, f)[row] = v
			m.Stamps.TouchRow(uint32(row))
		}
		return err
	}
}

// under returns a reference by the relation, and what writes it.
func (p *pair) under() (layout.FieldValue, func(w *side, id gameobject.ID) error) {
	to := p.someone()
	if p.keeps && to.Recorded() {
		to = 0 // a kept spawn may become a parent later
	}
	return pairUnder.Value(to), func(w *side, id gameobject.ID) error {
		parent := to
		if to != 0 {
			var err error
			if parent, err = p.found(w, to); err != nil {
				return err
			}
		}
		l, m := w.kin.Of(pairUnder.Spec().Relation), w.manager(pairUnder.Kind())
		err := l.CheckRing(id.Index(), parent, nil)
		if err == nil {
			var row layout.Row
			if row, err = m.Get(id.Index()); err != nil {
				row, err = m.Add(id.Index())
			}
			if err == nil {
				l.Write(id.Index(), uint32(row), parent)
			}
		}
		return err
	}
}

// creation notes a creation.
func (p *pair) creation(made gameobject.ID, a act) {
	a.made, p.made = made, append(p.made, made)
	p.pending = append(p.pending, a)
}

// change notes a change of an object that has to be there.
func (p *pair) change(name, kind string, id gameobject.ID, do func(w *side, id gameobject.ID) error) {
	p.pending = append(p.pending, act{name: name, kind: kind, id: id, do: func(
		w *side, id gameobject.ID,
	) (gameobject.ID, error) {
		id, err := p.found(w, id)
		if err == nil {
			err = do(w, id)
		}
		return id, err
	}})
}

// spawn records a spawn with values; some fields have two.
func (p *pair) spawn(n, fields int) {
	var values []layout.FieldValue
	var writes []func(*side, gameobject.ID) error
	for range fields {
		v, write := p.value()
		if n == 2 && p.r.IntN(2) == 0 {
			v, write = p.under()
		}
		if !slices.Contains(pairRecipes[n], v.Field.Kind.Handle()) {
			continue
		}
		values, writes = append(values, v), append(writes, write)
	}
	made := p.to.Spawn(p.recorded.pools[n], values)
	a := act{name: "spawn", kind: p.recorded.pools[n].Name}
	a.do = func(w *side, _ gameobject.ID) (gameobject.ID, error) {
		for _, v := range values { // what refers to the dead is refused for that, also without room
			if to := gameobject.ID(binary.LittleEndian.Uint64(append(v.Bytes(), make([]byte, 8)...))); v.Field == pairUnder.Spec() && to != 0 {
				if _, err := p.found(w, to); err != nil {
					return 0, err
				}
			}
		}
		if err := w.pools[n].CheckRoom(w.Arena, 1); err != nil {
			return 0, err
		}
		id, _ := w.pools[n].Spawn(w.Arena)
		for _, write := range writes {
			if err := write(w, id); err != nil {
				return id, err
			}
		}
		return id, nil
	}
	p.creation(made, a)
}

// record records a random command, and notes what it does.
func (p *pair) record() {
	id, place := p.someone(), p.r.IntN(len(pairKinds)-1)
	k := pairKinds[place]
	m := &p.recorded.Managers[place]
	switch p.r.IntN(11) {
	case 0:
		made := p.to.Births.NewID()
		p.to.Record(Create, 0, made, false)
		p.creation(made, act{name: "create", do: func(w *side, _ gameobject.ID) (gameobject.ID, error) {
			return structure.Create(w.Arena)
		}})
	case 1:
		p.creation(p.to.RecordCopy(id), act{name: "copy", do: func(
			w *side, _ gameobject.ID,
		) (gameobject.ID, error) {
			src, err := p.found(w, id)
			if err != nil {
				return 0, err
			}
			return structure.Copy(w.Arena, src)
		}})
	case 2, 3:
		p.spawn(p.r.IntN(3), p.r.IntN(4))
	case 4:
		p.dispose(id)
	case 5, 6:
		p.to.Record(Add, place, id, false)
		p.change("add", m.Kind.Name, id, func(w *side, id gameobject.ID) error {
			_, err := w.manager(k).Add(id.Index())
			return err
		})
	case 7, 8:
		p.to.Record(Remove, place, id, false)
		p.change("remove", m.Kind.Name, id, func(w *side, id gameobject.ID) error {
			return w.manager(k).Remove(id.Index())
		})
	case 9:
		v, write := p.value()
		copy(p.to.RecordField(Replace, p.recorded.Slot(v.Field.Kind), id, v.Field), v.Bytes())
		p.change("replace", v.Field.Kind.Name, id, write)
	case 10:
		v, write := p.value()
		if p.r.IntN(3) == 0 {
			v, write = p.under()
		}
		copy(p.to.RecordField(Put, p.recorded.Slot(v.Field.Kind), id, v.Field), v.Bytes())
		p.change("put", v.Field.Kind.Name, id, func(w *side, id gameobject.ID) error {
			if m := w.Find(v.Field.Kind); v.Field != pairUnder.Spec() && !m.Has(id.Index()) {
				if _, err := m.Add(id.Index()); err != nil {
					return err
				}
			}
			return write(w, id)
		})
	}
}

// dispose records a disposal. Those of objects to which others refer come last, and are not here.
func (p *pair) dispose(id gameobject.ID) {
	known := id.Recorded() || p.recorded.Objects.Alive(id)
	if p.kin(id) {
		return
	}
	p.to.Record(Dispose, 0, id, known)
	p.pending = append(p.pending, act{name: "dispose", id: id, do: func(
		w *side, id gameobject.ID,
	) (gameobject.ID, error) {
		object, err := p.found(w, id)
		if _, ok := p.real[id]; known && err != nil && (!id.Recorded() || ok && p.real[id] != 0) {
			return object, nil
		}
		if err == nil {
			w.Dispose(object.Index())
		}
		return object, err
	}})
}

// kin reports whether an object may be referred to.
func (p *pair) kin(id gameobject.ID) bool {
	if id.Recorded() {
		return true
	}
	l := p.direct.kin.Of(pairUnder.Spec().Relation)
	return p.direct.Objects.Alive(id) && (p.direct.kin.Targeted(id.Index()) || l.Count(id) > 0) ||
		slices.ContainsFunc(p.pending, func(a act) bool { return a.kind == "under" || a.kind == "recipe 2" })
}

// plan records some commands, in the world's buffer and then in a task's: any, or many that are
// alike, which may be carried out block by block.
func (p *pair) plan() {
	for _, in := range []*Buffer{&p.world, &p.task} {
		if p.to = in; in == &p.task {
			if p.r.IntN(2) == 0 {
				return
			}
			p.world.Lend(&p.task)
		}
		switch n, alike := p.r.IntN(60), p.r.IntN(3) == 0; {
		case p.keeps, alike && p.r.IntN(2) == 0:
			recipe, fields := p.r.IntN(3), p.r.IntN(4)
			for range n {
				p.spawn(recipe, fields)
			}
		case alike:
			p.alike(n)
		default:
			for range n {
				p.record()
			}
		}
		if in == &p.task {
			p.world.Append(&p.task)
		}
	}
	p.to = &p.world
}

// alike records a change of several objects.
func (p *pair) alike(n int) {
	place, from, op := p.r.IntN(3), p.r.IntN(len(p.ids)), p.r.IntN(3)
	k, back := pairKinds[place], p.r.IntN(4) == 0
	for i := range n {
		if back {
			i = n - 1 - i
		}
		id := p.ids[(from+i)%len(p.ids)]
		switch op {
		case 0:
			p.to.Record(Add, place, id, false)
			p.change("add", k.String(), id, func(w *side, id gameobject.ID) error {
				_, err := w.manager(k).Add(id.Index())
				return err
			})
		case 1:
			p.to.Record(Remove, place, id, false)
			p.change("remove", k.String(), id, func(w *side, id gameobject.ID) error {
				return w.manager(k).Remove(id.Index())
			})
		default:
			p.dispose(id)
		}
	}
}

// apply changes both worlds, and compares the refusals and the bytes.
func (p *pair) apply() error {
	keeping := p.keeps && p.r.IntN(4) > 0
	want, kept := map[int]error{}, []act(nil)
	for n, a := range p.pending {
		id, err := a.do(p.direct, a.id)
		if err == nil {
			p.done[a.name]++
			if a.made != 0 {
				p.real[a.made], p.ids = id, append(p.ids, id)
			}
			continue
		}
		want[n] = err
		if a.made == 0 {
			continue
		}
		p.real[a.made] = 0
		if keeping && noRoom(err) {
			kept = append(kept, a)
			delete(p.real, a.made)
		}
	}
	total := len(p.pending)
	p.resolve()
	commands, refusals := p.world.Apply(p.recorded.Arena, p.recorded.pools, p.recorded.kin, keeping)
	if err := p.compare(commands, total, want, refusals, len(kept)); err != nil {
		return err
	}
	for n, a := range p.pending {
		if made, ok := p.world.Births.Made(a.made); want[n] == nil && a.made != 0 && (!ok || made != p.real[a.made]) {
			return fmt.Errorf("command %d made %v, not %v", n, made, p.real[a.made])
		}
	}
	p.pending = kept
	if p.made = p.made[max(0, len(p.made)-2):]; len(kept) == 0 {
		p.made = nil
		p.real = map[gameobject.ID]gameobject.ID{}
	}
	*p.recorded.Tick++
	*p.direct.Tick++
	if !p.recorded.Equal(p.direct.Arena) {
		d, _ := p.direct.FirstDifference(p.recorded.Arena)
		return fmt.Errorf("the worlds differ: %v", d)
	}
	return p.recorded.Verify()
}

// compare compares the refusals.
func (p *pair) compare(commands, total int, want map[int]error, got []*Refusal, kept int) error {
	if commands != total || len(got) != len(want) {
		return fmt.Errorf("%d of %d commands are refused, not %d of %d", len(got), commands, len(want), total)
	}
	for _, e := range got {
		a := p.pending[e.Number]
		name, kind := a.name, a.kind
		if e.Command == opNames[Fill] {
			name, kind = e.Command, "under"
		}
		if w := want[e.Number]; w == nil || e.Command != name || e.Kind != kind || e.ID != a.id {
			return fmt.Errorf("refused %+v, not %+v by %w", e, a, w)
		}
		for _, is := range []error{
			gameobject.ErrDead, gameobject.ErrOutOfRange, gameobject.ErrTooMany, manager.ErrFull,
			manager.ErrTwice, manager.ErrRemove, manager.ErrAbsent, kin.ErrRing,
		} {
			if errors.Is(e.Err, is) != errors.Is(want[e.Number], is) {
				return fmt.Errorf("refused %w, not %w", e.Err, want[e.Number])
			}
			if errors.Is(e.Err, is) {
				p.done[a.name+": "+is.Error()]++
			}
		}
		if e.Kept {
			kept--
		}
	}
	if kept != 0 {
		return fmt.Errorf("%d more are kept", -kept)
	}
	return nil
}

// resolve replaces the ids of creations in the direct world.
func (p *pair) resolve() {
	w := p.direct
	next, wides := w.manager(pairNext.Kind()), w.manager(pairWide.Kind())
	for o := range uint32(w.Objects.High()) {
		if row, ok := next.RowOf(o); ok {
			p.resolved(next, uint32(row), &manager.Column(next, pairNext)[row])
		}
		if row, ok := wides.RowOf(o); ok {
			p.resolved(wides, uint32(row), &manager.Column(wides, pairWide)[row].B)
		}
	}
}

func (p *pair) resolved(m *manager.Manager, row uint32, id *gameobject.ID) {
	if made, ok := p.real[*id]; ok && id.Recorded() {
		*id = made
		m.Stamps.TouchRow(row)
	}
}

// leave disposes some objects, and the objects that the policies dispose with them, in both worlds.
func (p *pair) leave() {
	for range p.r.IntN(len(p.ids)) {
		id := p.ids[p.r.IntN(len(p.ids))]
		if !p.direct.Objects.Alive(id) || p.r.IntN(2) == 0 {
			continue
		}
		for _, w := range []*side{p.direct, p.recorded} {
			w.kin.Begin()
			w.kin.Add(id.Index(), 0)
			require.NoError(p, w.kin.Dispose())
		}
	}
	p.ids = append(p.ids[:3], slices.DeleteFunc(p.ids[3:], func(id gameobject.ID) bool {
		return !p.direct.Objects.Alive(id) && p.r.IntN(4) != 0
	})...)
	if p.r.IntN(4) == 0 {
		slices.SortFunc(p.ids[3:], func(a, b gameobject.ID) int { return int(a.Index()) - int(b.Index()) })
	}
}

// outcomes are what a run has to have seen: commands that were carried out, and those refused.
var outcomes = []string{
	"create", "spawn", "copy", "dispose", "add", "remove", "put", "replace",
	"create: " + gameobject.ErrTooMany.Error(), "spawn: " + manager.ErrFull.Error(),
	"spawn: " + gameobject.ErrDead.Error(), "add: " + manager.ErrTwice.Error(),
	"add: " + manager.ErrFull.Error(), "add: " + gameobject.ErrDead.Error(),
	"remove: " + manager.ErrRemove.Error(), "replace: " + manager.ErrAbsent.Error(),
	"put: " + kin.ErrRing.Error(), "dispose: " + gameobject.ErrDead.Error(),
}

// TestCommandsAgainstCalls: random commands, alone and in runs, of the world and of tasks, with and
// without room, leave the bytes of the same changes done directly, and refuse what these refuse.
func TestCommandsAgainstCalls(t *testing.T) {
	rounds := 60
	if testing.Short() {
		rounds = 15
	}
	done := map[string]int{}
	missing := func(name string) bool { return done[name] == 0 }
	for n := uint64(0); n < 12 || n < 120 && slices.ContainsFunc(outcomes, missing); n++ {
		seed := rand.Uint64N(1<<40)*12 + n
		p := newPair(t, seed)
		for round := range rounds {
			p.plan()
			if err := p.apply(); err != nil {
				t.Fatalf("seed %d, round %d: %v", seed, round, err)
			}
			if round%3 == 0 {
				p.leave()
			}
		}
		for name, n := range p.done {
			done[name] += n
		}
	}
	for _, name := range outcomes {
		require.Positive(t, done[name], "%s: %v", name, done)
	}
}

// TestDropKeepsWhoWasLeaving: objects that an Apply was about to dispose when it panicked stay, if its
// commands are dropped.
func TestDropKeepsWhoWasLeaving(t *testing.T) {
	a, err := manager.NewArena(manager.Sizes{
		Objects: 64, Pools: 1, Kinds: []layout.Count{{Kind: pairTwo, Rows: 64, ByBlock: true}},
	})
	require.NoError(t, err)
	require.True(t, a.Describe(1, []*manager.Manager{&a.Managers[0]}))
	a.Ready(a.Objects.Reserve(1, 64), 64)
	streak := structure.Streak{}
	for range 3 {
		id, ok := manager.SpawnReady(a, 1)
		require.True(t, ok)
		streak.Dispose(a, id.Index())
	}
	b := Buffer{Leaving: streak.Leaving}
	Drop(&b, a)
	b.Apply(a, nil, nil, false)
	require.Equal(t, 3, a.Objects.Live())
}

// TestNumbersGoOnAndBeginAgain: the numbers of creations go on from one Apply to the next, and begin
// again before they would leave their bits. What they became is known until the next.
func TestNumbersGoOnAndBeginAgain(t *testing.T) {
	var b Buffer
	b.Births.here.first = 1<<31 - 2
	for _, want := range []uint32{1<<31 - 2, 1<<31 - 1, 0, 1} {
		id := b.Births.NewID()
		assert.Equal(t, gameobject.MakeRecorded(want, 0), id)
		assert.True(t, b.Births.any())
		b.Births.each((*origin).begin)
		made, known := b.Births.find(id)
		assert.True(t, known)
		assert.Equal(t, gameobject.Nobody, made)
		b.Births.became(id, gameobject.MakeID(want&7, 3))
		assert.Equal(t, gameobject.MakeID(want&7, 3), b.Births.object(id))
		assert.Equal(t, gameobject.MakeID(want&7, 3), b.Births.revised(id))
		b.end(1, 0)
		assert.False(t, b.Births.any())
		made, ok := b.Births.Made(id)
		assert.True(t, ok)
		assert.Equal(t, gameobject.MakeID(want&7, 3), made)
		assert.Equal(t, id, b.Births.revised(id), "it is of an earlier Apply")
	}
}

// TestNumbersOfTasks: a task numbers on where the task of its place did, and its commands and
// creations come to the world's when it has ended.
func TestNumbersOfTasks(t *testing.T) {
	world, err := New(4)
	require.NoError(t, err)
	task := world.ForTask(2)
	for turn := range uint32(3) {
		world.Lend(&task)
		id := task.Births.NewID()
		assert.Equal(t, gameobject.MakeRecorded(turn, 3), id)
		task.Record(Create, 0, id, false)
		task.Record(Dispose, 0, id, false)
		world.Record(Create, 0, world.Births.NewID(), false)
		world.Append(&task)
		assert.Zero(t, task.Recorded())
		assert.Equal(t, 3, world.Recorded())
		world.Births.each((*origin).begin)
		world.Births.became(id, gameobject.MakeID(5, turn))
		assert.Equal(t, gameobject.MakeID(5, turn), world.Births.object(id))
		world.end(1, 0)
		assert.Zero(t, world.Recorded())
	}
}

// TestSpawnsThatPanicLeaveNoTrace: after a spawn whose second value is none, no spawn joins a run of
// other fields; a frozen buffer takes none, and neither does one without a number for it.
func TestSpawnsThatPanicLeaveNoTrace(t *testing.T) {
	b, p := Buffer{}, newSide(t, 8, 8, false, false).pools[0]
	one, other := pairOne.Value(1), pairXY.Value([2]float32{})
	b.Spawn(p, []layout.FieldValue{one, other})
	assert.Panics(t, func() { b.Spawn(p, []layout.FieldValue{other, {}}) })
	b.Spawn(p, []layout.FieldValue{other, other})
	assert.EqualValues(t, 1, b.run(0).count)
	assert.Equal(t, []setter{{0, uint16(pairOne.Spec().Index)}, {0, uint16(pairXY.Spec().Index)}}, b.setters(0))
	at := b.after(0)
	assert.EqualValues(t, 1, b.run(at).count)
	assert.Equal(t, 2, b.run(at).values()/setterSize-runSize/setterSize)
	assert.Equal(t, b.setters(at)[0], b.setters(at)[1])
	frozen := b.Frozen("why")
	assert.PanicsWithValue(t, "why", func() { frozen.Spawn(p, []layout.FieldValue{other, other}) })
	b.Births.here.recorded = manager.MaxRows
	assert.Panics(t, func() { b.Record(Create, 0, 0, false); b.Spawn(p, nil) }, "ids are used up")
}

// TestDataOfAnySize: values continue in the following commands, and do not overlap.
func TestDataOfAnySize(t *testing.T) {
	for size := range 200 {
		n := more(size)
		assert.GreaterOrEqual(t, headSize+n*commandSize, size)
		assert.Less(t, (n-1)*commandSize+headSize, max(size, 1), "and no more than they need")
	}
}
