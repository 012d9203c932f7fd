package systems

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

// A relating is a world beside its model.
type relating struct {
	*testing.T
	r    *rand.Rand
	s    State
	m    *society
	all  []GameObject // alive and dead
	snap *Snapshot
	then *society
	done map[string]int
	last string
}

func (w *relating) some() GameObject {
	if w.r.IntN(30) == 0 || len(w.all) == 0 {
		return 0
	}
	return w.all[w.r.IntN(len(w.all))]
}

// agree checks that two errors are of the same sort.
func (w *relating) agree(what string, want, got error) {
	w.Helper()
	w.done[what]++
	for _, e := range []error{ErrDead, ErrAbsent, ErrRing, ErrReferred, ErrTwice, ErrFull} {
		if errors.Is(want, e) {
			w.done[what+": "+e.Error()]++
		}
		require.Equal(w, errors.Is(want, e), errors.Is(got, e), "%s: %v, not %v", what, got, want)
	}
	require.Equal(w, want == nil, got == nil, "%s: %v, not %v", what, got, want)
}

func (w *relating) step() {
	id, to, rel := w.some(), w.some(), w.r.IntN(len(relations))
	kind := relations[rel].Kind()
	p := w.m.people[id]
	var err error
	switch n := w.r.IntN(24); {
	case n < 5 && len(w.m.people) < 60:
		var id GameObject
		w.s, id = made(Spawn(w.s, related))
		w.born(id, &person{has: [3]bool{true, true, true}})
	case n < 13:
		if id == 0 {
			return
		}
		want := w.m.set(rel, id, to)
		w.s, err = Set(w.s, id, relations[rel], to)
		w.agree("set", want, err)
	case n < 15 && w.r.IntN(2) == 0:
		ids := []GameObject{id}
		for range w.r.IntN(4) {
			ids = append(ids, w.some())
		}
		if slices.Contains(ids, 0) {
			return
		}
		want := w.m.dispose(ids...)
		w.agree("dispose", want, w.alike(func(s State) (State, error) {
			return DisposeGameObject(s, ids...)
		}))
	case n == 15 && p != nil && p.has[rel]:
		w.s = sure(Remove(w.s, id, kind))
		p.has[rel], p.to[rel] = false, 0
		if relations[rel] == carried {
			p.slot = 0
		}
		w.done["remove"]++
	case n == 16 && p != nil && p.has[rel]:
		w.s = sure(Suspend(w.s, id, kind))
		p.has[rel], p.held[rel] = false, true
		w.done["suspend"]++
	case n == 17 && p != nil && !p.has[rel]:
		w.s = sure(Add(w.s, id, kind))
		p.has[rel], p.held[rel] = true, false
		w.done["add"]++
	case n == 18 && p != nil && p.has[2]:
		p.slot = uint32(w.r.IntN(4))
		w.s = sure(Set(w.s, id, slot, p.slot))
	case n == 19 && p != nil && len(w.m.people) < 60:
		w.copy(id, p)
	case n == 20:
		w.whole(w.r.IntN(5))
	case n > 20:
		w.record()
	}
}

func (w *relating) born(id GameObject, p *person) {
	w.all = append(w.all, id)
	w.m.people[id] = p
}

func (w *relating) copy(id GameObject, p *person) {
	s, made := made(CopyGameObject(w.s, id))
	w.s = s
	twin := *p
	for rel := range relations {
		if twin.held[rel] = false; !twin.has[rel] {
			twin.to[rel] = 0
		}
	}
	if !twin.has[2] {
		twin.slot = 0
	}
	w.born(made, &twin)
	w.done["copy"]++
}

// whole does something to the world as a whole.
func (w *relating) whole(n int) {
	var err error
	switch n {
	case 0:
		require.NoError(w, w.snap.Take(w.s))
		w.then = w.m.clone()
	case 1:
		if w.then != nil {
			w.s, err = Restore(w.s, w.snap)
			w.m = w.then.clone()
		}
	case 2:
		if w.canTidy() {
			w.s, err = Tidy(w.s)
		}
	case 3:
		w.s = Advance(w.s)
	case 4:
		w.s, err = ArenaOf(w.s).Derived()
	}
	require.NoError(w, err)
}

func (w *relating) canTidy() bool { return w.r.IntN(2) == 0 }

// record disposes, sets and spawns by commands.
func (w *relating) record() {
	c := Record(w.s)
	var made []GameObject
	var parents []GameObject
	for range 1 + w.r.IntN(4) {
		if len(w.m.people)+len(made) < 60 {
			to := w.some()
			if len(made) > 0 && w.r.IntN(2) == 0 {
				to = made[w.r.IntN(len(made))]
			}
			made, parents = append(made, c.Spawn(related, childOf.Value(to))), append(parents, to)
		}
	}
	var puts [][2]GameObject
	for range w.r.IntN(4) {
		child, to := w.some(), w.some()
		if len(made) > 0 && w.r.IntN(2) == 0 {
			to = made[w.r.IntN(len(made))]
		}
		if child != 0 {
			Put(c, child, childOf, to)
			puts = append(puts, [2]GameObject{child, to})
		}
	}
	var gone []GameObject
	for range w.r.IntN(3) {
		if id := w.some(); id != 0 && w.m.people[id] != nil {
			c.Dispose(id)
			gone = append(gone, id)
		}
	}
	w.expect(made, parents, puts, gone, w.alike(Apply))
}

// alike does something to the world, and to a copy of which nobody has asked anything before.
func (w *relating) alike(do func(s State) (State, error)) (err error) {
	twin := sure(Clone(w.s))
	w.s, err = do(w.s)
	twin, _ = do(twin)
	require.True(w, Equal(w.s, twin), "%v", w.last)
	Close(twin)
	return err
}

// expect does to the model what the commands did to the world.
func (w *relating) expect(
	made, parents []GameObject, puts [][2]GameObject, gone []GameObject, err error,
) {
	var wrong []error
	became := map[GameObject]GameObject{}
	doomed := slices.Clone(gone)
	for i, id := range made {
		to := parents[i]
		if to.Recorded() {
			to = became[to]
		}
		now, e := Applied(w.s, id)
		if to != 0 && w.m.people[to] == nil {
			require.ErrorIs(w, e, ErrDead)
			wrong, became[id] = append(wrong, ErrDead), GameObject(1<<62) // nobody's
			w.done["spawn: "+ErrDead.Error()]++
			continue
		}
		require.NoError(w, e)
		became[id] = now
		p := &person{has: [3]bool{true, true, true}}
		p.to[0] = to
		w.born(now, p)
	}
	for _, put := range puts {
		child, to := put[0], put[1]
		if to.Recorded() {
			to = became[to]
		}
		p := w.m.people[child]
		switch {
		case p == nil, to != 0 && w.m.people[to] == nil:
			wrong = append(wrong, ErrDead)
		case w.m.ring(0, child, to):
			wrong = append(wrong, ErrRing)
		default:
			p.has[0], p.held[0], p.to[0] = true, false, to
		}
	}
	wrong = append(wrong, w.m.disposeSome(doomed)...)
	var apply *ApplyError
	errors.As(err, &apply)
	got := 0
	if apply != nil {
		got = len(apply.Refused)
	}
	require.Len(w, wrong, got, "%v against %v", err, wrong)
	for _, e := range wrong {
		w.done["apply: "+e.Error()]++
		require.ErrorIs(w, err, e)
	}
	w.done["apply"]++
	w.last = fmt.Sprint("apply ", made, parents, puts, gone, doomed, err, " wrong ", wrong)
}

// check compares every answer with the model's.
func (w *relating) check() {
	require.Equal(w, len(w.m.people), Live(w.s), "%v", w.last)
	for rel, f := range relations {
		lists := w.m.lists(rel)
		for id, p := range w.m.people {
			got, err := Get(w.s, id, f)
			if p.has[rel] != (err == nil) || p.has[rel] && p.to[rel] != got {
				require.Equal(w, p.to[rel], got, "%v of %v: %v", f.Spec(), id, err)
			}
			children := slices.Collect(Children(w.s, f, id))
			if n := ChildCount(w.s, f, id); !slices.Equal(lists[id], children) || n != len(children) {
				require.Equal(w, lists[id], children, "%v of %v: %d", f.Spec(), id, n)
			}
		}
	}
	if w.then != nil {
		lists := w.then.lists(0)
		for id := range w.then.people {
			require.Equal(w, lists[id], slices.Collect(Children(w.snap.State(), childOf, id)))
		}
	}
	w.checkTargets()
	require.NoError(w, ArenaOf(w.s).Verify())
	require.Zero(w, Dangling(w.s))
}

// checkTargets compares who refers to somebody, and who does not.
func (w *relating) checkTargets() {
	refers := func(p *person, rel int) bool { return p.has[rel] && p.to[rel] != 0 }
	for rel, f := range relations {
		other := (rel + 1) % len(relations)
		for i, q := range []struct {
			terms []Term
			holds func(p *person) bool
		}{
			{[]Term{HasTarget(f)}, func(p *person) bool { return refers(p, rel) }},
			{[]Term{NoTarget(f)}, func(p *person) bool { return !refers(p, rel) }},
			{[]Term{With(f), NoTarget(f)}, func(p *person) bool { return p.has[rel] && p.to[rel] == 0 }},
			{[]Term{NoTarget(f, relations[other])}, func(p *person) bool {
				return !refers(p, rel) && !refers(p, other)
			}},
			{[]Term{NoTarget(f), HasTarget(relations[other])}, func(p *person) bool {
				return !refers(p, rel) && refers(p, other)
			}},
		} {
			query, want := NewQuery(q.terms...), 0
			for id, p := range w.m.people {
				holds := q.holds(p)
				if query.Matches(w.s, id) != holds {
					require.Equal(w, holds, !holds, "%v of %v: %v", query, id, w.last)
				}
				if holds {
					want++
				}
			}
			if got := query.Count(w.s); got != want {
				require.Equal(w, want, got, "%v: %v", query, w.last)
			}
			down := want
			for b := range query.In(w.s) {
				want -= b.Len()
			}
			require.Zero(w, want, "%v, %d", query, i)
			if w.r.IntN(8) == 0 {
				for b := range query.Down(w.s, childOf) {
					down -= b.Len()
				}
				require.Zero(w, down, "%v, %d, down", query, i)
			}
		}
	}
}

func TestRelationsAgainstModel(t *testing.T) {
	OneGoroutine(t)
	worlds, steps := 8, 400
	if atLength() {
		worlds, steps = 40, 2_000
	}
	done := map[string]int{}
	for seed := range worlds {
		w := &relating{
			T: t, r: rand.New(rand.NewPCG(uint64(seed), 7)), m: &society{map[GameObject]*person{}},
			done: done,
		}
		counts := Counts{
			GameObjects: 200, Recipes: []Recipe{related}, InOrder: seed%2 == 0,
			Kinds: layout.Kinds(childOf, looksAt.Count(120), carried.Count(130), kindA),
		}
		w.s = sure(CreateState(counts))
		w.snap = sure(NewSnapshot(w.s))
		for range steps {
			if w.step(); w.r.IntN(2) == 0 {
				w.check()
			}
			if len(w.all) > 80 {
				w.all = w.all[40:]
			}
		}
		w.snap.Close()
		Close(w.s)
	}
	for _, what := range []string{
		"set", "dispose", "remove", "suspend", "add", "copy", "apply",
		"set: " + ErrRing.Error(), "set: " + ErrDead.Error(), "dispose: " + ErrReferred.Error(),
		"apply: " + ErrRing.Error(), "apply: " + ErrReferred.Error(), "apply: " + ErrDead.Error(),
		"spawn: " + ErrDead.Error(),
	} {
		require.NotZero(t, done[what], "nobody did %s: %v", what, fmt.Sprint(done))
	}
}
