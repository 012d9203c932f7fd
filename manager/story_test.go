package manager

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
)

// The kinds of stories have a first field of each size that is reset without a call, and others.
var storyKinds = []layout.Kind{
	layout.NewComponent("four", uint32(4)).Kind(),
	layout.NewKind("two", layout.NewField("wide", [2]uint32{2, 3}), layout.NewField("narrow", uint8(7))),
	layout.NewComponent("twelve", [3]uint32{12, 2, 3}).Kind(),
	layout.NewComponent("sixteen", [2]uint64{16, 1}).Kind(),
	layout.NewComponent("scarce", uint64(8)).Kind(), // has a row for each fourth object, unless by block
	layout.NewComponent("packed", [5]uint32{20}).Kind(),
	layout.NewMark("storyMark"),
	storyGoods.Kind(),
}

var storyGoods = layout.NewValues("goods", uint32(9))

const (
	two, scarce, packed, theMark, goods = 1, 4, 5, 6, 7 // places of those kinds
	evenly                              = 1<<packed - 1
)

// storyRecipes are the kinds of two recipes.
var storyRecipes = [][]int{{0}, {0, 2, 3, scarce, theMark}}

// storyKeep are the values that the first watcher keeps, of both kinds that it requires.
var storyKeep = keepOf(storyKinds[0].Spec().Fields[0], storyKinds[two].Spec().Fields[0])

// keepOf declares the kinds of objects that were gone, and were reported as left.
func keepOf(fields ...*layout.FieldSpec) Keep {
	kind := func(name string) []*layout.KindSpec {
		list := []layout.AnyField{layout.NewField[gameobject.ID]("object")}
		for _, f := range fields {
			list = append(list, f.Twin(f.Kind.Name))
		}
		return []*layout.KindSpec{layout.NewKind(name, list...).Spec()}
	}
	return Keep{Fields: fields, Gone: kind("gone"), Left: kind("left")}
}

// A shape is a sort of worlds: which kinds are by block, a bit each, how many kinds there are
// besides, and whether three watchers watch, two of them the same.
type shape struct {
	objects, alive int // at most, and at first
	byBlock        int
	more           int
	watched        bool
	room           int // rows of the kind without a count: more than 4 MB are mapped
}

var shapes = map[string]shape{
	"row by row":                  {objects: 300},
	"row by row, all alive":       {objects: 320, alive: 320, watched: true},
	"by block":                    {objects: 300, byBlock: evenly},
	"by block, alive, watched":    {objects: 310, alive: 300, byBlock: evenly, watched: true},
	"mixed":                       {objects: 200, byBlock: 1<<0 | 1<<3},
	"mixed, all alive, watched":   {objects: 100, alive: 100, byBlock: 1<<0 | 1<<two, watched: true},
	"more than 64 kinds":          {objects: 200, alive: 150, more: 66},
	"more than 64 kinds by block": {objects: 200, byBlock: evenly, more: 66, watched: true},
	"tiny":                        {objects: 3, watched: true},
	"tiny, by block":              {objects: 3, byBlock: evenly},
	"mapped":                      {objects: 300, room: 3 << 19},
	"mapped, watched":             {objects: 128, alive: 128, watched: true, room: 1 << 20},
	"a block":                     {objects: 64, alive: 64},
	"sparse":                      {objects: 5000, watched: true},
	"sparse, by block":            {objects: 5000, byBlock: evenly},
}

// A part is a component as a map would hold it.
type part struct {
	value     uint32 // the first four bytes of its first field
	written   uint64 // tick
	suspended bool
}

// A story is a world beside a map of objects, each with a map of its kinds.
type story struct {
	*testing.T
	shape
	r     *rand.Rand
	a     *Arena
	by    *Arena // does object by object and kind by kind what the world does at once
	twin  *Arena // equal to the world at tick since
	since uint64
	live  map[gameobject.ID]map[int]part
	ids   []gameobject.ID
	given map[gameobject.ID]bool // ever
	used  []int                  // rows of each kind
	loose [][]layout.Row         // rows that are on no object
	seen  []glance
	told  [3]told
	rules *verdict // of some rules, earlier
}

// A told is the reports of a watcher.
type told struct {
	were map[gameobject.ID]bool      // members at the last look
	gone map[gameobject.ID]bool      // did not match at some time since
	last map[gameobject.ID][2]uint32 // values that storyKeep keeps, until they did not match
}

func newTold(were map[gameobject.ID]bool) told {
	return told{were, map[gameobject.ID]bool{}, map[gameobject.ID][2]uint32{}}
}

func newStory(t *testing.T, seed uint64, of shape) *story {
	t.Helper()
	s := &story{T: t, shape: of, r: rand.New(rand.NewPCG(seed, 1)), a: begunStory(of), by: begunStory(of)}
	s.twin = sure(s.a.Clone((*Arena).Alike))
	s.begin()
	return s
}

// sizes are the sizes of a story's arena.
func (of shape) sizes() Sizes {
	sizes := Sizes{Objects: of.objects, Pools: len(storyRecipes)}
	for k, kind := range storyKinds {
		c := kind.Count(of.objects)
		c.ByBlock = of.byBlock>>k&1 != 0
		if c.Free = k == 0; c.Free {
			c.Rows = max(c.Rows, of.room)
		}
		if k == scarce && !c.ByBlock {
			c.Rows = (of.objects + 3) / 4
		}
		if c.Packed = k == packed; k == theMark {
			c.Rows = 0
		}
		sizes.Kinds = append(sizes.Kinds, c)
	}
	for i := range of.more {
		sizes.Kinds = append(sizes.Kinds, layout.NewComponent[uint32](fmt.Sprint("more", i)).Kind().Count(100))
	}
	if of.watched {
		sizes.Watchers = []string{"with", "without", "again"}
		for _, list := range [][]*layout.KindSpec{storyKeep.Gone, storyKeep.Left} {
			sizes.Kinds = append(sizes.Kinds, layout.Count{Kind: list[0].Handle(), Rows: of.objects})
		}
	}
	return sizes
}

// begin begins the model of a world of no objects.
func (s *story) begin() {
	kinds := len(storyKinds) + s.more
	s.live, s.ids, s.given = map[gameobject.ID]map[int]part{}, nil, map[gameobject.ID]bool{}
	s.used, s.loose, s.seen = make([]int, kinds), make([][]layout.Row, kinds), make([]glance, kinds)
	for i := range s.told {
		s.told[i] = newTold(nil)
	}
	s.since, s.rules = 0, nil
	for range s.alive {
		s.create()
	}
	for block := range uint32(s.alive / 64 * (s.alive / s.objects)) { // if there are no others
		s.addBlock(0, block, full)
		s.addBlock(two, block, full)
	}
}

// begunStory makes the arena of a story.
func begunStory(of shape) *Arena {
	sizes := of.sizes()
	a := sure(NewArena(sizes))
	for i := range sizes.Watchers {
		rules, key := a.NewMatch(), "with"
		if i == 1 {
			key = "without"
			rules.Forbid(&a.Managers[scarce], &a.Managers[theMark])
		} else {
			rules.Require(&a.Managers[two], &a.Managers[0])
		}
		if a.Watch(i, key, rules); i == 0 {
			a.Watchers[i].Keep(a, &storyKeep)
		}
	}
	for pool, kinds := range storyRecipes {
		described, _ := divided(a, kinds)
		a.Describe(pool+1, described)
	}
	return a
}

// divided returns the managers of a recipe that it is described by, and the others.
func divided(a *Arena, kinds []int) (described, others []*Manager) {
	for _, k := range kinds {
		if m := &a.Managers[k]; a.Words == 1 && inBlocks(m) {
			described = append(described, m)
		} else {
			others = append(others, m)
		}
	}
	return described, others
}

func (s *story) close() {
	for _, a := range []*Arena{s.a, s.by, s.twin} {
		a.Free()
	}
}

// full reports whether all rows of a kind are used.
func (s *story) full(k, n int) bool {
	m := &s.a.Managers[k]
	return !m.Kind.Mark && s.used[k]+len(s.loose[k])+n > m.Rows.Cap()
}

func (s *story) has(id gameobject.ID, k int) bool {
	p, ok := s.live[id][k]
	return ok && !p.suspended
}

// matches reports whether an object matches the rules of a watcher.
func (s *story) matches(id gameobject.ID, watcher int) bool {
	if s.live[id] == nil || watcher != 1 {
		return s.has(id, two) && s.has(id, 0)
	}
	return !s.has(id, scarce) && !s.has(id, theMark)
}

// put gives an object a kind in the model.
func (s *story) put(id gameobject.ID, k int, p part) {
	if _, had := s.live[id][k]; !had {
		s.used[k]++
	}
	s.live[id][k] = p
	s.note(id)
}

func (s *story) take(id gameobject.ID, k int) {
	if _, had := s.live[id][k]; had {
		s.used[k]--
	}
	delete(s.live[id], k)
	s.note(id)
}

// note notes the watchers' members that do not match, and the values of those that do.
func (s *story) note(id gameobject.ID) {
	for i := range s.told {
		switch w := &s.told[i]; {
		case s.live[id] == nil || !s.matches(id, i):
			w.gone[id] = w.gone[id] || w.were[id]
		case !w.gone[id]:
			w.last[id] = [2]uint32{s.live[id][0].value, s.live[id][two].value}
		}
	}
}

// fresh is a component with the default.
func (s *story) fresh(k int) part {
	p := part{written: *s.a.Tick}
	if k == goods {
		p.value = 9
	} else if fields := s.a.Managers[k].Kind.Fields; len(fields) > 0 {
		p.value = binary.LittleEndian.Uint32(fields[0].Default)
	}
	return p
}

// born adds an object to the model, with kinds of a recipe.
func (s *story) born(id gameobject.ID, kinds ...int) {
	require.False(s, s.given[id], "%v is given twice", id)
	s.live[id], s.ids, s.given[id] = map[int]part{}, append(s.ids, id), true
	for _, k := range kinds {
		s.put(id, k, s.fresh(k))
	}
}

func (s *story) died(id gameobject.ID) {
	for k := range s.used {
		s.take(id, k)
	}
	delete(s.live, id)
	s.note(id)
	s.ids = slices.DeleteFunc(s.ids, func(x gameobject.ID) bool { return x == id })
}

// The operations. Each does the same to the world, at once where it can, to by, and to the model.

func (s *story) create() {
	id, err := s.a.Objects.Create(0)
	_, same := s.by.Objects.Create(0)
	require.Equal(s, len(s.ids) == s.objects, err != nil)
	require.Equal(s, same, err)
	if err == nil {
		s.born(id)
	}
}

func (s *story) dispose(id gameobject.ID) {
	s.a.Dispose(id.Index())
	s.by.DropAll(id.Index())
	s.by.Objects.Dispose(id.Index())
	s.died(id)
}

// disposeBlock disposes the objects x of a block, if there are any.
func (s *story) disposeBlock(block uint32, x uint64) {
	if x == 0 {
		return
	}
	ids := s.idsOf(block, x)
	if LeavesNoOrder(s.by, block) {
		s.r.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	}
	s.a.Leaving(block, x)
	s.a.DisposeBlock(block, x)
	s.a.Objects.DisposeBlock(block, x)
	for _, id := range ids {
		s.by.DropAll(id.Index())
		s.by.Objects.Dispose(id.Index())
		s.died(id)
	}
}

// spawn creates an object by a recipe, if there is room, and in a new slab if there is room for one.
func (s *story) spawn(pool int, slab bool) {
	if len(s.ids) == s.objects || slices.ContainsFunc(storyRecipes[pool], func(k int) bool { return s.full(k, 1) }) {
		return
	}
	id := spawned(s.a, pool, slab, AddEach)
	require.Equal(s, id, spawned(s.by, pool, slab, func(managers []*Manager, object uint32) {
		for _, m := range managers {
			_ = sure(m.Add(object))
		}
	}))
	s.born(id, storyRecipes[pool]...)
}

func spawned(a *Arena, pool int, slab bool, addEach func([]*Manager, uint32)) gameobject.ID {
	described, others := divided(a, storyRecipes[pool])
	id, ready := SpawnReady(a, pool+1)
	if !ready && slab && a.Objects.Spare() >= 64 {
		a.Ready(a.Objects.Reserve(pool+1, 64), 64)
		id, ready = SpawnReady(a, pool+1)
		watched := slices.ContainsFunc(described, func(m *Manager) bool { return m.heard != 0 })
		if ready != (len(described) > 0 && !watched) {
			panic(fmt.Sprint("ready: ", ready))
		}
	}
	if !ready {
		var ok bool
		if id, ok = a.Objects.Take(pool + 1); !ok {
			id = sure(a.Objects.Create(pool + 1))
		}
		a.Give(pool+1, id.Index()>>6, 1<<(id.Index()&63))
	}
	addEach(others, id.Index())
	return id
}

// spawnBlock creates up to n objects by a recipe.
func (s *story) spawnBlock(pool, n int) {
	n = min(n, s.objects-len(s.ids))
	if n == 0 || slices.ContainsFunc(storyRecipes[pool], func(k int) bool { return s.full(k, n) }) {
		return
	}
	block, x := spawnedTogether(s.a, pool, n)
	alike, y := spawnedTogether(s.by, pool, n)
	require.Equal(s, [2]uint64{uint64(block), x}, [2]uint64{uint64(alike), y})
	s.a.Give(pool+1, block, x)
	_, others := divided(s.a, storyRecipes[pool])
	_, othersBy := divided(s.by, storyRecipes[pool])
	for i, m := range others {
		m.AddBlock(block, x)
		addEach(othersBy[i], block, x)
	}
	for i := range objectsOf(block, x) {
		s.by.Give(pool+1, block, 1<<(i&63))
		s.born(s.a.Objects.At(i), storyRecipes[pool]...)
	}
}

func spawnedTogether(a *Arena, pool, n int) (block uint32, x uint64) {
	if block, x = a.Objects.TakeBlock(pool+1, n); x == 0 {
		block, x, _ = a.Objects.CreateBlock(pool+1, n)
	}
	return block, x
}

// addEach adds a component to the objects x of a block, one after the other.
func addEach(m *Manager, block uint32, x uint64) {
	for i := range objectsOf(block, x) {
		_ = sure(m.Add(i))
	}
}

func (s *story) addBlock(k int, block uint32, x uint64) {
	m := &s.a.Managers[k]
	x &= s.a.Objects.Words()[block] &^ m.Blocks.Present(block)
	if s.full(k, bits.OnesCount64(x&^m.Blocks.Holds(block))) {
		return
	}
	m.AddBlock(block, x)
	addEach(&s.by.Managers[k], block, x)
	for _, id := range s.idsOf(block, x) {
		s.added(id, k)
	}
}

// dropBlock takes a kind from objects of a block that have it, or, if kept is set, keep it.
func (s *story) dropBlock(k int, block uint32, x uint64, kept bool) {
	m := &s.a.Managers[k]
	if kept {
		m.DisposeBlock(block, x)
		x &= m.Blocks.Holds(block) | s.by.Managers[k].Blocks.Holds(block)
	} else {
		x &= m.Blocks.Present(block)
		m.DropBlock(block, x)
	}
	for _, id := range s.idsOf(block, x) {
		s.by.Managers[k].Drop(id.Index())
		s.take(id, k)
	}
}

// add adds a component, or gets a suspended one back.
func (s *story) add(id gameobject.ID, k int) {
	p, kept := s.live[id][k]
	if kept && !p.suspended {
		return
	}
	home, foreseen := s.a.Managers[k].Blocks.Home(id.Index())
	row, err := s.a.Managers[k].Add(id.Index())
	_, same := s.by.Managers[k].Add(id.Index())
	require.Equal(s, !kept && s.full(k, 1), err != nil)
	require.Equal(s, same, err)
	require.True(s, !foreseen || home == row)
	if err == nil {
		s.added(id, k)
	}
}

// added notes a component that was added, or came back.
func (s *story) added(id gameobject.ID, k int) {
	p := s.fresh(k)
	if kept, ok := s.live[id][k]; ok {
		p.value = kept.value
	}
	s.put(id, k, p)
}

// addSeveral adds some kinds at once to an object that has none of them.
func (s *story) addSeveral(id gameobject.ID) {
	var several []*Manager
	for _, k := range s.r.Perm(len(s.used))[:s.r.IntN(min(12, len(s.used)))] {
		if len(s.live[id]) == len(several) && !s.full(k, 1) {
			several = append(several, &s.a.Managers[k])
			_ = sure(s.by.Managers[k].Add(id.Index()))
			s.put(id, k, s.fresh(k))
		}
	}
	AddEach(several, id.Index())
}

func (s *story) drop(id gameobject.ID, k int) {
	s.a.Managers[k].Drop(id.Index())
	s.by.Managers[k].Drop(id.Index())
	s.take(id, k)
}

// dropAll takes all kinds from an object.
func (s *story) dropAll(id gameobject.ID) {
	s.a.DropAll(id.Index())
	if s.by.Objects.PoolOf(id.Index()) != 0 {
		s.by.DropAll(id.Index()) // notes the turn of its recipe
	}
	for k := range s.used {
		s.by.Managers[k].Drop(id.Index())
		s.take(id, k)
	}
}

func (s *story) suspend(id gameobject.ID, k int) {
	if p := s.live[id][k]; s.has(id, k) && k != theMark && k != packed {
		require.NoError(s, s.a.Managers[k].Suspend(id.Index()))
		require.NoError(s, s.by.Managers[k].Suspend(id.Index()))
		s.put(id, k, part{p.value, p.written, true})
	}
}

func (s *story) write(id gameobject.ID, k int) {
	if !s.has(id, k) || k == theMark {
		return
	}
	p := part{s.r.Uint32(), *s.a.Tick, false}
	for _, a := range []*Arena{s.a, s.by} {
		s.set(a, id, k, p.value)
	}
	s.put(id, k, p)
}

// set sets the first four bytes of a component.
func (s *story) set(a *Arena, id gameobject.ID, k int, value uint32) {
	m := &a.Managers[k]
	if k == goods {
		require.NoError(s, ValuesOf(m, storyGoods).Set(id.Index(), value))
		return
	}
	row, _ := m.RowOf(id.Index())
	binary.LittleEndian.PutUint32(m.Data.Columns[0].Bytes[int(row)*m.Data.Columns[0].Stride:], value)
	m.Stamps.TouchRow(uint32(row))
}

// copyTo gives an object a copy of a component of another one.
func (s *story) copyTo(dst, src gameobject.ID, k int) {
	if _, held := s.live[dst][k]; held || !s.has(src, k) || s.full(k, 1) {
		return
	}
	p := s.fresh(k)
	p.value = s.live[src][k].value
	s.a.Managers[k].Copy(dst.Index(), src.Index())
	if _ = sure(s.by.Managers[k].Add(dst.Index())); k != theMark {
		s.set(s.by, dst, k, p.value)
	}
	s.put(dst, k, p)
}

// loosen makes a row that is on no object.
func (s *story) loosen(k int) {
	if m := &s.a.Managers[k]; inBlocks(m) || m.Packed {
		return
	}
	row, err := s.a.Managers[k].Create()
	_, same := s.by.Managers[k].Create()
	require.Equal(s, s.full(k, 1), err != nil)
	require.Equal(s, same, err)
	if err == nil {
		s.loose[k] = append(s.loose[k], row)
	}
}

// mount mounts a loose row on an object, or disposes it if that has or keeps one.
func (s *story) mount(id gameobject.ID, k int) {
	n := len(s.loose[k])
	if n == 0 {
		return
	}
	row := s.loose[k][n-1]
	s.loose[k] = s.loose[k][:n-1]
	_, has := s.live[id][k]
	for _, a := range []*Arena{s.a, s.by} {
		m := &a.Managers[k]
		require.Equal(s, has, m.Mount(id.Index(), row) != nil)
		if has {
			m.Dispose(row)
		}
	}
	if !has {
		s.put(id, k, s.fresh(k))
	}
}

// swapOut takes a kind from some objects of a block and gives it back in any order: each gets its row
// back while another one of the block stays in lockstep.
func (s *story) swapOut(k int, block uint32, x uint64) {
	m := &s.a.Managers[k]
	if x &= m.Blocks.InLockstep(block); x == m.Blocks.InLockstep(block) || k == theMark || k == packed {
		return
	}
	ids := s.idsOf(block, x)
	rows := map[gameobject.ID]layout.Row{}
	for _, id := range ids {
		rows[id], _ = m.RowOf(id.Index())
		s.drop(id, k)
	}
	s.r.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	for _, id := range ids {
		s.add(id, k)
		row, _ := m.RowOf(id.Index())
		require.Equal(s, rows[id], row)
	}
}

// forget has a watcher forget what it knows.
func (s *story) forget(i int) {
	if s.watched {
		for _, a := range []*Arena{s.a, s.by} {
			w := &a.Watchers[i]
			w.Forget()
			require.Equal(s, [2]bool{true, false}, [2]bool{w.Once(), w.Once()})
			require.NoError(s, a.Verify())
		}
		s.told[i] = newTold(nil)
	}
}

// move goes on in another room, if it has room for all.
func (s *story) move() {
	of := s.shape
	of.objects = max(1, of.objects-100+s.r.IntN(230))
	room, by := begunStory(of), begunStory(of)
	for to, from := range map[*Arena]*Arena{room: s.a, by: s.by} {
		if to.Adopt(from, []uint16{1, 2}, func(*layout.KindSpec) bool { return false }) != nil {
			room.Free()
			by.Free()
			return
		}
		checkMoved(s.T, to, from)
	}
	for _, a := range []*Arena{s.a, s.by, s.twin} {
		s.Cleanup(a.Free) // not before what is said about it
	}
	s.shape, s.a, s.by, s.twin = of, room, by, sure(room.Clone((*Arena).Alike))
	s.since, s.seen, s.rules = 0, make([]glance, len(s.seen)), nil
	s.check()
}

// step does one random operation.
func (s *story) step() {
	k, n := s.r.IntN(len(s.used)), s.r.IntN(30)
	if s.r.IntN(2) == 0 {
		k = s.r.IntN(len(storyKinds))
	}
	switch {
	case n < 2 || len(s.ids) == 0:
		s.create()
		return
	case n < 6:
		s.spawn(s.r.IntN(2), s.r.IntN(2) == 0)
		return
	}
	id := s.ids[s.r.IntN(len(s.ids))]
	block := id.Index() >> 6
	x := s.a.Objects.Words()[block] & someObjects(s.r)
	switch n {
	case 6:
		s.spawnBlock(s.r.IntN(2), 1+s.r.IntN(90))
	case 7, 8:
		s.dispose(id)
	case 9:
		s.disposeBlock(block, x)
	case 10, 11:
		s.addBlock(k, block, x)
	case 12:
		s.dropBlock(k, block, x, false)
	case 13:
		s.dropBlock(k, block, x, true)
	case 14:
		s.loosen(k)
	case 15:
		s.mount(id, k)
	case 16:
		s.swapOut(k, block, x)
	case 17:
		s.dropAll(id)
		s.addSeveral(id)
	case 18:
		s.dropAll(id)
	case 19, 20:
		s.suspend(id, k)
	case 21:
		s.drop(id, k)
	case 22, 23:
		s.write(id, k)
	case 24:
		s.copyTo(id, s.ids[s.r.IntN(len(s.ids))], k)
	case 25:
		switch s.r.IntN(8) {
		case 0:
			s.move()
		case 1, 2, 3:
			s.forget(s.r.IntN(len(s.told)))
		}
		*s.a.Tick++
		*s.by.Tick++
	default:
		s.add(id, k)
	}
}
