package systems

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/query"
)

// An operation is done to a model and to its world; as often as its weight says.
type operation struct {
	name   string
	weight int
	do     func(m *model) error
}

// changes are of objects and kinds; ways are of the world as a whole.
var (
	changes = []operation{
		{"create", 4, (*model).create},
		{"spawn", 4, (*model).spawn},
		{"spawnN", 1, (*model).spawnN},
		{"copy", 1, (*model).copy},
		{"dispose", 3, (*model).disposeFew},
		{"bulk", 1, (*model).bulk},
		{"several", 3, (*model).several},
		{"toggle", 20, (*model).toggle},
		{"mount", 1, (*model).mount},
		{"write", 2, (*model).write},
		{"tick", 1, func(m *model) error { m.s = Advance(m.s); return nil }},
	}
	familyChanges = append(slices.Clone(changes),
		operation{"refer", 30, (*model).setReference}, operation{"relate", 12, (*model).relate})
	ways = []operation{
		{"restore", 2, (*model).thereAndBack},
		{"clone", 1, func(m *model) error { return m.moved(Clone(m.s)) }},
		{"larger", 1, (*model).grow},
		{"other room", 1, (*model).otherRoom},
		{"renew", 1, (*model).renew},
		{"derive", 1, (*model).derive},
	}
)

// step does one of some operations, at random.
func (m *model) step(ops []operation) error {
	total := 0
	for i := range ops {
		total += ops[i].weight
	}
	n := m.r.IntN(total)
	for i := range ops {
		if n -= ops[i].weight; n < 0 {
			if m.image = nil; m.r.IntN(16) == 0 {
				m.image = image(m.s)
			}
			if err := ops[i].do(m); err != nil {
				return fmt.Errorf("%s: %w", ops[i].name, err)
			}
			break
		}
	}
	return nil
}

// agree checks that a call was refused for the reason that the model has, or not at all, and that a
// refusal changes nothing.
func (m *model) agree(op string, want, err error) error {
	if want != nil {
		op += ": " + want.Error()
	}
	switch m.done[op]++; {
	case (want == nil) != (err == nil), want != nil && want != errAny && !errors.Is(err, want):
		return fmt.Errorf("%s: %w, not %w", op, err, want)
	case want != nil && m.image != nil && !bytes.Equal(m.image, Bytes(m.s)):
		return fmt.Errorf("%s: refused by %w, and the world is another", op, err)
	}
	return nil
}

// some returns an object: most often one that is alive.
func (m *model) some() GameObject {
	if len(m.ids) == 0 || m.r.IntN(40) == 0 {
		return m.dead[m.r.IntN(len(m.dead))]
	}
	return m.ids[m.r.IntN(len(m.ids))]
}

func (m *model) create() error {
	want := m.room(1)
	s, id, err := Create(m.s)
	if m.s = s; err == nil {
		m.born(id, -1)
	}
	return m.agree("create", want, err)
}

// recipe returns one that the world has.
func (m *model) recipe() int {
	n := len(modelRecipes)
	if !m.related {
		n--
	}
	return m.r.IntN(n)
}

// spawn spawns an object, at times with values; references to dead objects are refused.
func (m *model) spawn() error {
	n := m.recipe()
	of := &modelRecipes[n]
	a, b, to := of.a, cells[cellB].fresh, GameObject(0)
	var values []layout.FieldValue
	for of.recipe != recipeB && m.r.IntN(2) == 0 { // the last one counts
		a = cells[cellA].draw(m.r).([3]float32)
		values = append(values, fieldA.Value(a))
	}
	if slices.Contains(of.kinds, kindB) && m.r.IntN(2) == 0 {
		b = cells[cellB].draw(m.r)
		values = append(values, fieldB.Value(b.(uint16)))
	}
	if of.recipe == related && m.r.IntN(2) == 0 {
		to = m.some()
		if m.r.IntN(8) == 0 {
			to = m.dead[0]
		}
		values = append(values, childOf.Value(to))
	}
	want := m.room(1, of.kinds...)
	if to != 0 && m.things[to] == nil {
		want = errAny
	}
	s, id, err := Spawn(m.s, of.recipe, values...)
	if m.s = s; err == nil {
		t := m.born(id, n)
		t.to[0], t.values[cellB] = to, b
		if of.recipe != recipeB {
			t.values[cellA] = a
		}
	}
	return m.agree("spawn", want, err)
}

func (m *model) spawnN() error {
	n, count := m.recipe(), m.r.IntN([]int{3, 30, 200}[m.r.IntN(3)])
	of := &modelRecipes[n]
	want := m.room(count, of.kinds...)
	spawned, wrong := 0, error(nil)
	s, err := SpawnN(m.s, of.recipe, count, func(b Batch) {
		for i := range b.Len() {
			t := m.born(b.ID(i), n)
			if spawned++; of.recipe == recipeB {
				continue
			}
			a := Column(b, fieldA)
			if a[i] != of.a {
				wrong = fmt.Errorf("spawned with %v", a[i])
			}
			a[i][0] = float32(b.ID(i).Index())
			t.values[cellA] = a[i]
		}
	})
	if m.s = s; err == nil && spawned != count {
		wrong = fmt.Errorf("%d are spawned, not %d", spawned, count)
	}
	return errors.Join(wrong, m.agree("spawnN", want, err))
}

func (m *model) copy() error {
	id := m.some()
	t := m.things[id]
	if t == nil {
		s, _, err := Copy(m.s, id)
		m.s = s
		return m.agree("copy", ErrDead, err)
	}
	var kinds []Kind
	for _, k := range m.kinds() {
		if t.has[k] {
			kinds = append(kinds, k)
		}
	}
	want := m.room(1, kinds...)
	if want != nil {
		want = errAny
	}
	s, other, err := Copy(m.s, id)
	if m.s = s; err == nil {
		twin := m.born(other, -1, kinds...)
		twin.recipe = t.recipe
		for i := range cells {
			if t.has[cells[i].kind] {
				twin.values[i] = t.values[i]
			}
		}
		for rel, f := range relations {
			if t.has[f.Kind()] {
				twin.to[rel] = t.to[rel]
			}
		}
		if t.has[carried.Kind()] {
			twin.slot = t.slot
		}
	}
	return m.agree("copy", want, err)
}

// disposeFew disposes one object, or some at once, of which one may be dead.
func (m *model) disposeFew() error {
	ids := []GameObject{m.some()}
	for m.r.IntN(3) == 0 && len(ids) < 60 {
		for range m.r.IntN(20) {
			ids = append(ids, m.some())
		}
	}
	want := m.dispose(ids...)
	s, err := Dispose(m.s, ids...)
	m.s = s
	return m.agree("dispose", want, err)
}

// bulk adds, removes or disposes all that a random rule says.
func (m *model) bulk() error {
	ru, kinds := rules[m.r.IntN(len(rules))], m.kinds()
	k := kinds[m.r.IntN(len(kinds))]
	var hit []GameObject
	has, full := false, 0
	for _, id := range m.ids {
		if t := m.things[id]; ru.match(t.has) && !t.has[markY] {
			hit, has = append(hit, id), has || t.has[k]
			if !t.held[k] {
				full++
			}
		}
	}
	q := NewQuery(ru.terms...).And(Without(markY))
	if rules, err := query.RulesOf(m.s.look().world.arena, q.spec); err != nil || rules.Possible() != nil {
		if len(hit) > 0 {
			return fmt.Errorf("%s is refused, and %d match", q, len(hit))
		}
		return nil
	}
	var err, want error
	switch op := m.r.IntN(6); {
	case op == 0 && len(hit) < len(m.ids)/3:
		want = m.dispose(hit...)
		m.s, err = q.DisposeAll(m.s)
		return m.agree("dispose all", want, err)
	case op < 3:
		for _, id := range hit {
			if m.things[id].has[k] {
				m.lost(id, k)
			}
		}
		m.s, err = q.RemoveAll(m.s, k)
		return m.agree("remove all", nil, err)
	}
	if has || m.full(full, k) {
		want = errAny
	}
	if m.s, err = q.AddAll(m.s, k); err == nil {
		for _, id := range hit {
			m.gained(id, k)
		}
	}
	return m.agree("add all", want, err)
}

// several adds or removes a random list of kinds at once, creates an object with it, or makes sure
// that an object has its first.
func (m *model) several() error {
	id, kinds := m.some(), m.someKinds()
	t, k := m.things[id], kinds[0]
	op := []string{"create with", "add", "remove", "ensure", "renew"}[m.r.IntN(5)]
	var want, err error
	if t == nil {
		if op == "create with" {
			return nil
		}
		want = ErrDead
	}
	switch op {
	case "create with":
		var made GameObject
		if want = m.addable(0, kinds...); want == nil {
			want = m.room(1)
		}
		if m.s, made, err = CreateWith(m.s, kindList(kinds)...); err == nil {
			m.born(made, -1, kinds...)
		}
	case "add":
		if t != nil {
			want = m.addable(id, kinds...)
		}
		if m.s, err = addSome(m.s, id, kinds...); err == nil {
			for _, k := range kinds {
				m.gained(id, k)
			}
		}
	case "remove":
		for i, k := range kinds {
			if t != nil && (!t.has[k] || slices.Contains(kinds[:i], k)) {
				want = ErrRemove
			}
		}
		if m.s, err = Remove(m.s, id, k, kindList(kinds[1:])...); err == nil {
			for _, k := range kinds {
				m.lost(id, k)
			}
		}
	default:
		if t != nil && !t.has[k] {
			want = m.addable(id, k)
		}
		if op == "ensure" {
			m.s, _, err = Ensure(m.s, id, k)
		} else if m.s, _, err = Reset(m.s, id, k); err == nil {
			m.lost(id, k)
		}
		if err == nil && !t.has[k] {
			m.gained(id, k)
		}
	}
	return m.agree(op, want, err)
}

// someKinds returns up to three random kinds, now and then one of them twice.
func (m *model) someKinds() []Kind {
	kinds := slices.Clone(tried)
	m.r.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
	kinds = kinds[:1+m.r.IntN(3)]
	if m.r.IntN(8) == 0 {
		kinds = append(kinds, kinds[0])
	}
	return kinds
}

// toggle adds, removes or suspends a kind of an object.
func (m *model) toggle() error {
	id, kinds := m.some(), m.kinds()
	return m.toggleKind(id, kinds[m.r.IntN(len(kinds))])
}

// relate is toggle of a relation.
func (m *model) relate() error {
	return m.toggleKind(m.some(), relations[m.r.IntN(len(relations))].Kind())
}

func (m *model) toggleKind(id GameObject, k Kind) error {
	t := m.things[id]
	var want, err error
	if t == nil {
		want = ErrDead
	}
	switch {
	case t != nil && !t.has[k] || t == nil && m.r.IntN(2) == 0:
		if t != nil {
			want = m.addable(id, k)
		}
		if m.s, err = Add(m.s, id, k); err == nil {
			m.gained(id, k)
		}
		return m.agree("add", want, err)
	case k != kindC && !k.Spec().Mark && m.r.IntN(3) == 0:
		if m.s, err = Suspend(m.s, id, k); err == nil {
			m.change(id, func(t *thing) {
				delete(t.has, k)
				t.held[k] = true
			})
		}
		return m.agree("suspend", want, err)
	}
	if m.s, err = Remove(m.s, id, k); err == nil {
		m.lost(id, k)
	}
	return m.agree("remove", want, err)
}

// mount puts a row on an object that is not the object's home row.
func (m *model) mount() error {
	id := m.some()
	if t := m.things[id]; t == nil || t.has[kindA] || t.held[kindA] || m.full(1, kindA) ||
		manager.ByBlock(managed(m.s, kindA)) {
		return nil
	}
	s, row := made(CreateComponent(m.s, kindA))
	m.s = sure(Mount(s, id, kindA, row))
	m.gained(id, kindA)
	return nil
}

// write writes a value of an object.
func (m *model) write() error {
	id, n := m.some(), m.r.IntN(len(cells))
	t, v := m.things[id], cells[n].draw(m.r)
	var want error
	switch {
	case t == nil:
		want = ErrDead
	case !t.has[cells[n].kind]:
		want = ErrAbsent
	default:
		t.values[n], t.wrote[cells[n].kind] = v, Tick(m.s)
	}
	s, err := cells[n].set(m.s, id, v)
	m.s = s
	return m.agree("write", want, err)
}

// setReference makes an object refer to another one, or gives it another place in an order.
func (m *model) setReference() error {
	id, to, rel := m.some(), m.some(), m.r.IntN(len(relations))
	if m.r.IntN(8) == 0 {
		to = 0
	}
	if t := m.things[id]; t != nil && t.has[carried.Kind()] && m.r.IntN(6) == 0 {
		t.slot = uint32(m.r.IntN(4))
		m.s = sure(Set(m.s, id, slot, t.slot))
		return nil
	}
	want := m.refer(rel, id, to)
	s, err := Set(m.s, id, relations[rel], to)
	m.s = s
	return m.agree("refer", want, err)
}

// moved goes on in another world.
func (m *model) moved(s State, err error) error {
	if err == nil {
		Close(m.s)
		m.s = s
	}
	return err
}

// thereAndBack lives on, goes back to before, and finds every byte as it was.
func (m *model) thereAndBack() error {
	p, before := taken(m.s), image(m.s)
	defer p.Close()
	later := m.clone()
	for range 40 {
		if err := later.step(changes); err != nil {
			return err
		}
	}
	m.s = sure(Restore(later.s, p))
	if !bytes.Equal(before, Bytes(m.s)) || !Equal(m.s, p.State()) || Digest(m.s) != p.Digest() {
		return errors.New("the world is not as it was")
	}
	return nil
}

// grow goes on in a world with more room, and kinds in another order.
func (m *model) grow() error {
	m.turned = !m.turned
	if m.objects += max(1, m.objects/16); m.rows != freeRows {
		m.rows += max(1, m.rows/16)
	}
	return m.moved(Resized(m.s, m.counts()))
}

// otherRoom goes on in free room, or in counted room, and back again.
func (m *model) otherRoom() error {
	rows := m.rows
	for _, n := range []int{freeRows, max(rows, m.objects), rows} {
		m.rows = n
		if err := m.moved(Resized(m.s, m.counts())); err != nil {
			return err
		}
	}
	return nil
}

// renew makes the world empty in the same memory, and full again.
func (m *model) renew() error {
	p := taken(m.s)
	defer p.Close()
	m.s = sure(ToolsOf(m.s).Renewed(func(*manager.Part) int { return 0 }))
	if name := behind(m.s); name != "" || managed(m.s, kindA).Rows.High() != 0 || Len(m.s) != 0 {
		return fmt.Errorf("%s is not empty", name)
	}
	m.s = sure(Restore(m.s, p))
	return nil
}

func (m *model) derive() error {
	digest := Digest(m.s)
	m.s = sure(ToolsOf(m.s).Derived())
	if !assert.ObjectsAreEqual(digest, Digest(m.s)) {
		return errors.New("the world is another")
	}
	return nil
}

// live does so many changes, by the numbers that a seed gives.
func (m *model) live(seed uint64, steps int, ops []operation) error {
	m.r = rand.New(rand.NewPCG(seed, 2))
	for range steps {
		if err := m.step(ops); err != nil {
			return err
		}
	}
	return nil
}
