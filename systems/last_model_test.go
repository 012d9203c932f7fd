package systems

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
)

// A wound is a field of two parts.
type wound struct {
	By    GameObject
	Depth [2]uint32
}

var (
	keptWound  = layout.NewField[wound]("wound")
	keptRage   = layout.NewField[uint16]("rage")
	keptOrc    = layout.NewKind("orc", keptWound, keptRage)
	keptNoise  = layout.NewComponent("noise", uint64(5))
	keptHandle = layout.NewValues("handle", 0)
	keptFrozen = layout.NewMark("frozen orc")
	keptLeader = layout.NewRelation("leader", layout.Relation{Disposed: layout.Cascade, Tree: true})
	orcRecipe  = NewRecipe("orc", keptOrc, keptNoise)

	keptRules = []struct {
		watcher Watcher
		match   func(o *orc) bool
		kept    []Kind
	}{
		{
			NewWatcher(NewQuery(With(keptOrc))).Keep(keptOrc),
			func(o *orc) bool { return o.has[keptOrc] }, []Kind{keptOrc},
		},
		{
			NewWatcher(NewQuery(Read(keptNoise), With(keptHandle), Without(keptFrozen))).
				Keep(keptHandle, keptNoise),
			func(o *orc) bool {
				return o.has[keptNoise.Kind()] && o.has[keptHandle.Kind()] && !o.has[keptFrozen]
			},
			[]Kind{keptNoise.Kind(), keptHandle.Kind()},
		},
		{
			NewWatcher(NewQuery(With(keptNoise), Any(keptOrc, keptHandle))).Keep(keptNoise),
			func(o *orc) bool {
				return o.has[keptNoise.Kind()] && (o.has[keptOrc] || o.has[keptHandle.Kind()])
			},
			[]Kind{keptNoise.Kind()},
		},
		{
			NewWatcher(NewQuery(Only(keptOrc, keptNoise))).Keep(keptNoise).Keep(keptRage),
			func(o *orc) bool { return len(o.has) == 2 && o.has[keptOrc] && o.has[keptNoise.Kind()] },
			[]Kind{keptNoise.Kind()},
		},
		{ // the rules of the first one, and a look of its own
			NewWatcher(NewQuery(With(keptOrc))).Keep(keptRage),
			func(o *orc) bool { return o.has[keptOrc] }, nil,
		},
	}
	orcKinds = []Kind{keptOrc, keptNoise.Kind(), keptHandle.Kind(), keptFrozen}
)

// An orc is an object of maps.
type orc struct {
	has       map[Kind]bool
	suspended map[Kind]bool
	wound     wound
	rage      uint16
	noise     uint64
	handle    int
	leader    GameObject
}

func (o *orc) copied() *orc {
	c := *o
	c.has, c.suspended = maps.Clone(o.has), maps.Clone(o.suspended)
	return &c
}

// reset gives a kind the defaults.
func (o *orc) reset(k Kind) {
	switch k {
	case keptOrc:
		o.wound, o.rage = wound{}, 0
	case keptNoise.Kind():
		o.noise = 5
	case keptHandle.Kind():
		o.handle = 0
	}
}

// A grave is what one watcher remembers.
type grave struct {
	members map[GameObject]bool
	gone    map[GameObject]*orc // as they were when they left
	left    map[GameObject]*orc // at the last look
}

// orcs is a world of maps with the watchers of keptRules.
type orcs struct {
	all    map[GameObject]*orc
	graves []grave
}

func (m *orcs) copied() *orcs {
	c := &orcs{all: map[GameObject]*orc{}}
	for id, o := range m.all {
		c.all[id] = o.copied()
	}
	for _, g := range m.graves {
		c.graves = append(c.graves,
			grave{maps.Clone(g.members), maps.Clone(g.gone), maps.Clone(g.left)})
	}
	return c
}

// change changes an object, and has the watchers note what it was.
func (m *orcs) change(id GameObject, change func(o *orc)) {
	o := m.all[id]
	was := o.copied()
	change(o)
	for i, ru := range keptRules {
		g := &m.graves[i]
		if _, gone := g.gone[id]; g.members[id] && !gone && (m.all[id] == nil || !ru.match(o)) {
			g.gone[id] = was
		}
	}
}

// dispose disposes an object, and those that it leads.
func (m *orcs) dispose(id GameObject) {
	if m.all[id] == nil {
		return
	}
	m.change(id, func(*orc) { delete(m.all, id) })
	for other, o := range m.all {
		if o.leader == id {
			m.dispose(other)
		}
	}
}

func (m *orcs) remove(id GameObject, k Kind) {
	m.change(id, func(o *orc) {
		delete(o.has, k)
		o.reset(k)
	})
}

// look compares a watcher with the world's.
func (m *orcs) look(t *testing.T, s State, i int) State {
	t.Helper()
	g := &m.graves[i]
	g.left, g.gone = g.gone, map[GameObject]*orc{}
	clear(g.members)
	for id, o := range m.all {
		if keptRules[i].match(o) {
			g.members[id] = true
		}
	}
	s = keptRules[i].watcher.Look(s)
	m.compare(t, s, i)
	return s
}

// compare compares what the last look of a watcher found.
func (m *orcs) compare(t *testing.T, s State, i int) {
	t.Helper()
	ru, left := keptRules[i], m.graves[i].left
	require.Equal(t, ascending(slices.Collect(maps.Keys(left))), slices.Collect(ru.watcher.Left(s)))
	for id, o := range left {
		if i == 0 {
			require.Equal(t, o.wound, sure(LastOf(s, ru.watcher, id, keptWound)))
		}
		if i == 0 || i == 3 || i == 4 {
			require.Equal(t, o.rage, sure(LastOf(s, ru.watcher, id, keptRage)))
		}
		if slices.Contains(ru.kept, keptNoise.Kind()) {
			require.Equal(t, o.noise, sure(LastOf(s, ru.watcher, id, keptNoise)))
		}
		if slices.Contains(ru.kept, keptHandle.Kind()) {
			require.Equal(t, o.handle, sure(LastOf(s, ru.watcher, id, keptHandle)))
		}
	}
}

// A horde is both worlds.
type horde struct {
	*testing.T
	*orcs
	s      State
	r      *rand.Rand
	counts Counts
	packed bool
}

func newHorde(t *testing.T, seed uint64, objects int) *horde {
	t.Helper()
	h := &horde{T: t, orcs: &orcs{all: map[GameObject]*orc{}}, r: rand.New(rand.NewPCG(seed, 8))}
	h.packed = h.r.IntN(2) == 0
	h.counts = Counts{
		GameObjects: objects, Recipes: []Recipe{orcRecipe}, Commands: 10, InOrder: h.r.IntN(2) == 0,
		Kinds: []layout.Count{
			{Kind: keptOrc, Rows: objects, Packed: h.packed}, keptNoise.Counted(),
			keptFrozen.Counted(), keptHandle.Count(objects), keptLeader.Count(objects),
		},
	}
	for _, ru := range keptRules {
		h.counts.Watchers = append(h.counts.Watchers, ru.watcher)
		h.graves = append(h.graves, grave{
			members: map[GameObject]bool{}, gone: map[GameObject]*orc{}, left: map[GameObject]*orc{},
		})
	}
	h.s = sure(CreateState(h.counts))
	return h
}

// any returns an object, if there is one.
func (h *horde) any() (id GameObject, ok bool) {
	ids := ascending(slices.Collect(maps.Keys(h.all)))
	if len(ids) == 0 {
		return id, false
	}
	return ids[h.r.IntN(len(ids))], true
}

func (h *horde) must(s State, err error) {
	h.Helper()
	require.NoError(h, err)
	h.s = s
}

// born creates an object, alone or by a recipe.
func (h *horde) born() {
	o := &orc{has: map[Kind]bool{}, suspended: map[Kind]bool{}, noise: 5}
	var id GameObject
	var err error
	if h.r.IntN(2) == 0 {
		h.s, id, err = CreateGameObject(h.s)
	} else {
		h.s, id, err = Spawn(h.s, orcRecipe)
		o.has[keptOrc], o.has[keptNoise.Kind()] = true, true
	}
	if err == nil {
		h.all[id] = o
		h.write(id)
	}
}

// write writes all values of an object.
func (h *horde) write(id GameObject) {
	o := h.all[id]
	if o.has[keptOrc] {
		o.wound, o.rage = wound{id, [2]uint32{h.r.Uint32(), 1}}, uint16(h.r.Uint32())
		h.must(Set(h.s, id, keptWound, o.wound))
		h.must(Set(h.s, id, keptRage, o.rage))
	}
	if o.has[keptNoise.Kind()] {
		o.noise = h.r.Uint64()
		h.must(Set(h.s, id, keptNoise, o.noise))
	}
	if o.has[keptHandle.Kind()] {
		o.handle = h.r.Int()
		h.must(SetValue(h.s, id, keptHandle, o.handle))
	}
}

// toggle adds, removes or suspends a kind of an object.
func (h *horde) toggle(id GameObject, k Kind) {
	switch o := h.all[id]; {
	case !o.has[k]:
		h.s, _ = sureRow(Add(h.s, id, k))
		h.change(id, func(o *orc) {
			o.has[k] = true
			delete(o.suspended, k)
		})
		h.write(id)
	case h.r.IntN(3) == 0 && k != keptFrozen && !(h.packed && k == keptOrc):
		h.must(Suspend(h.s, id, k))
		h.change(id, func(o *orc) {
			delete(o.has, k)
			o.suspended[k] = true
		})
	case h.r.IntN(5) == 0:
		h.s, _ = sureRow(Renew(h.s, id, k))
		h.remove(id, k)
		h.change(id, func(o *orc) { o.has[k] = true })
	default:
		h.must(Remove(h.s, id, k))
		h.remove(id, k)
	}
}

func sureRow(s State, row Row, err error) (State, Row) { return sure(s, err), row }

// lead makes one object lead another, unless that closes a ring.
func (h *horde) lead(id, to GameObject) {
	var err error
	if h.all[id].leader == 0 && !Has(h.s, id, keptLeader.Kind()) {
		h.s, _ = sureRow(Add(h.s, id, keptLeader.Kind()))
		h.change(id, func(o *orc) { o.has[keptLeader.Kind()] = true })
	}
	if h.s, err = Set(h.s, id, keptLeader, to); err == nil {
		h.all[id].leader = to
	}
}

// many changes several objects in one call.
func (h *horde) many() {
	i := h.r.IntN(len(orcKinds))
	k, none := orcKinds[i], orcKinds[(i+1)%len(orcKinds)]
	matching := NewQuery(With(k), Without(none))
	var ids []GameObject
	for id := range GameObjects(h.s) {
		if o := h.all[id]; o.has[k] && !o.has[none] {
			ids = append(ids, id)
		}
	}
	switch h.r.IntN(3) {
	case 0:
		h.must(matching.RemoveAll(h.s, k))
		for _, id := range ids {
			h.remove(id, k)
		}
	case 1:
		if h.r.IntN(4) > 0 {
			return
		}
		h.must(matching.DisposeAll(h.s))
		for _, id := range ids {
			h.dispose(id)
		}
	case 2:
		ids = ids[:min(len(ids), 5)]
		h.must(DisposeGameObject(h.s, ids...))
		for _, id := range ids {
			h.dispose(id)
		}
	}
}

// record changes some objects by commands.
func (h *horde) record() {
	c := Record(h.s)
	done := map[GameObject]bool{}
	for range 5 {
		id, ok := h.any()
		k := orcKinds[h.r.IntN(len(orcKinds))]
		if !ok || done[id] {
			continue
		}
		switch done[id] = true; {
		case h.r.IntN(4) == 0:
			c.Dispose(id)
			defer h.dispose(id)
		case h.all[id].has[k]:
			c.Remove(id, k)
			defer func() {
				if h.all[id] != nil {
					h.remove(id, k)
				}
			}()
		}
	}
	h.must(Apply(h.s))
}

// step does one random change.
func (h *horde) step() {
	id, ok := h.any()
	other, _ := h.any()
	switch op := h.r.IntN(24); {
	case op < 5 || !ok:
		h.born()
	case op < 13:
		h.toggle(id, orcKinds[h.r.IntN(len(orcKinds))])
	case op < 15:
		h.write(id)
	case op < 17:
		h.must(DisposeGameObject(h.s, id))
		h.dispose(id)
	case op < 18:
		h.lead(id, other)
	case op < 20:
		h.many()
	case op < 22:
		h.record()
	case op < 23:
		h.must(Tidy(h.s))
	default:
		h.s = Advance(h.s)
	}
}

// move puts the world into other memory.
func (h *horde) move() {
	var to State
	var err error
	if h.r.IntN(2) == 0 {
		to, err = Clone(h.s)
	} else {
		h.counts.GameObjects += 64
		h.counts.Kinds = slices.Clone(h.counts.Kinds)
		for i := range h.counts.Kinds {
			h.counts.Kinds[i].Rows += 64
		}
		to, err = Resized(h.s, h.counts)
	}
	require.NoError(h, err)
	Close(h.s)
	h.s = to
}

// TestLastValuesAgainstModel: every way to leave, values of every sort, and looks, snapshots and
// copies in between.
func TestLastValuesAgainstModel(t *testing.T) {
	steps := 2_000
	if atLength() {
		steps = 100_000
	}
	for _, objects := range []int{3, 70, 300} {
		seed := rand.Uint64()
		t.Log("objects", objects, "seed", seed)
		h := newHorde(t, seed, objects)
		snapshot, past := sure(NewSnapshot(h.s)), h.copied()
		require.NoError(t, snapshot.Take(h.s))
		for step := range steps {
			h.step()
			i := h.r.IntN(len(keptRules))
			switch h.r.IntN(40) {
			case 0, 1, 2:
				h.s = h.look(t, h.s, i)
			case 3:
				h.compare(t, h.s, i)
			case 4:
				require.NoError(t, snapshot.Take(h.s))
				past = h.copied()
			case 5:
				h.must(Restore(h.s, snapshot))
				h.orcs = past.copied()
			case 6:
				require.NoError(t, ArenaOf(h.s).Verify())
			}
			if step%500 == 499 {
				h.move()
				snapshot.Close()
				snapshot, past = sure(NewSnapshot(h.s)), h.copied()
				require.NoError(t, snapshot.Take(h.s))
			}
		}
		for i := range keptRules {
			h.s = h.look(t, h.s, i)
		}
		require.NoError(t, ArenaOf(h.s).Verify())
		snapshot.Close()
		Close(h.s)
	}
}
