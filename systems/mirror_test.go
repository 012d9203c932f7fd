package systems

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/internal/query"
)

var (
	recipeAC = NewRecipe("A C X", kindA, kindC, markX).With(fieldA.Value([3]float32{4, 5, 6}))
	recipeAB = NewRecipe("A B", kindA, kindB)
)

// kindList returns kinds as what lists of kinds take.
func kindList(kinds []Kind) []layout.AnyKind {
	list := make([]layout.AnyKind, len(kinds))
	for i, k := range kinds {
		list[i] = k
	}
	return list
}

const freeRows = -1 // in place of a count of rows

// mirrorCounts returns the counts of a mirror's world.
func mirrorCounts(objects, rows int, inOrder, packed bool) Counts {
	count := func(k Kind, packed bool) layout.Count {
		return layout.Count{
			Kind: k, Rows: max(rows, 0), Packed: packed, Room: layout.Room{Free: rows == freeRows},
		}
	}
	return Counts{
		GameObjects: objects, Recipes: []Recipe{recipeAC, recipeAB}, InOrder: inOrder,
		Kinds: []layout.Count{
			count(kindA, false), count(kindB, false), count(kindC, packed),
			markX.Count(0), markY.Count(0),
		},
	}
}

// A mirror is a world of maps, as anyone would write it first.
type mirror struct {
	s    State
	r    *rand.Rand
	ids  []GameObject
	has  map[GameObject]map[Kind]bool
	kept map[GameObject]map[Kind]bool // suspended
	a    map[GameObject][3]float32
	c    map[GameObject]uint8
	tick map[GameObject]map[Kind]uint64 // of the last write
	ops  map[string]int

	image   []byte // of before a change, now and then
	between func() // called when a component is gone that is there again after the change
}

func newMirror(t *testing.T, objects, rows int, seed uint64) *mirror {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	s := sure(CreateState(mirrorCounts(objects, rows, r.IntN(2) == 0, r.IntN(2) == 0)))
	return &mirror{
		s: s, r: r, has: map[GameObject]map[Kind]bool{}, kept: map[GameObject]map[Kind]bool{}, ops: map[string]int{},
		a: map[GameObject][3]float32{}, c: map[GameObject]uint8{}, tick: map[GameObject]map[Kind]uint64{},
	}
}

// created notes a new object with kinds, whose A is a.
func (m *mirror) created(id GameObject, a [3]float32, kinds ...Kind) {
	m.ids, m.has[id], m.tick[id] = append(m.ids, id), map[Kind]bool{}, map[Kind]uint64{}
	for _, k := range kinds {
		m.gained(id, k)
	}
	m.a[id] = a
}

// gained notes a new component with the defaults.
func (m *mirror) gained(id GameObject, k Kind) {
	m.has[id][k] = true
	switch {
	case m.kept[id][k]:
		delete(m.kept[id], k)
	case k == kindA:
		m.a[id] = [3]float32{1, 2, 3}
	case k == kindC:
		m.c[id] = 9
	}
	m.tick[id][k] = Tick(m.s)
}

func (m *mirror) disposed(id GameObject) {
	m.ids = slices.DeleteFunc(m.ids, func(other GameObject) bool { return other == id })
	delete(m.has, id)
	delete(m.kept, id)
}

// change does one random change of structure on both.
func (m *mirror) change() (err error) {
	op := m.r.IntN(40)
	if len(m.ids) == 0 {
		op = 0
	}
	before := slices.Clone(m.ids)
	if m.r.IntN(16) == 0 {
		m.image = image(m.s)
		defer func() { m.image = nil }()
	}
	switch {
	case op < 4:
		err = m.create()
	case op < 6:
		err = m.spawn()
	case op == 6:
		err = m.spawnN()
	case op == 7:
		err = m.disposeSome()
	case op == 8:
		err = m.bulk()
	case op == 9:
		err = m.twin()
	case op < 14 && op > 10:
		err = m.several()
	case op == 10 && m.r.IntN(10) == 0:
		m.ops["tidy"]++
		m.s, err = Tidy(m.s)
	default:
		err = m.toggle(before[m.r.IntN(len(before))], tried[m.r.IntN(len(tried))])
	}
	return err
}

func (m *mirror) create() error {
	refused := len(m.ids) == m.s.use().Objects.Cap()
	s, id, err := CreateGameObject(m.s)
	m.s = s
	if err == nil {
		m.created(id, [3]float32{})
		m.ops["create"]++
	}
	return m.expect("create", err, refused)
}

// expect makes of an error that was to come none, and of its absence one.
func (m *mirror) expect(op string, err error, refused bool) error {
	if (err != nil) != refused {
		return fmt.Errorf("%s: error %w, want one: %v", op, err, refused)
	}
	if refused && m.image != nil && !bytes.Equal(m.image, Bytes(m.s)) {
		return fmt.Errorf("%s: refused by %w, and the world is another", op, err)
	}
	return nil
}

func (m *mirror) full(n int, kinds ...Kind) bool {
	for _, k := range kinds {
		if !k.Spec().Mark && m.count(k)+n > managed(m.s, k).Cap() {
			return true
		}
	}
	return false
}

func (m *mirror) count(k Kind) (n int) {
	for id, has := range m.has {
		if has[k] || m.kept[id][k] {
			n++
		}
	}
	return n
}

func (m *mirror) spawn() error {
	r, kinds, a := recipeAC, []Kind{kindA, kindC, markX}, [3]float32{4, 5, 6}
	if m.r.IntN(2) == 0 {
		r, kinds, a = recipeAB, []Kind{kindA, kindB}, [3]float32{1, 2, 3}
	}
	refused := len(m.ids) == m.s.use().Objects.Cap() || m.full(1, kinds...)
	s, id, err := Spawn(m.s, r)
	m.s = s
	if err == nil {
		m.created(id, a, kinds...)
		m.ops["spawn"]++
	}
	return m.expect("spawn", err, refused)
}

func (m *mirror) spawnN() error {
	n := m.r.IntN(200)
	refused := len(m.ids)+n > m.s.use().Objects.Cap() || m.full(n, kindA, kindB)
	live := len(m.ids)
	var wrong error
	s, err := SpawnN(m.s, recipeAB, n, func(b Batch) {
		rows := Column(b, fieldA)
		for i := range rows {
			if rows[i] != [3]float32{1, 2, 3} {
				wrong = fmt.Errorf("spawned with %v", rows[i])
			}
			rows[i][0] = float32(b.ID(i).Index())
			m.created(b.ID(i), rows[i], kindA, kindB)
			m.a[b.ID(i)] = rows[i]
		}
	})
	m.s = s
	if err == nil && len(m.ids) != live+n {
		return fmt.Errorf("%d spawned, want %d", len(m.ids)-live, n)
	}
	m.ops["spawnN"]++
	if wrong != nil {
		return wrong
	}
	return m.expect("spawnN", err, refused)
}

func (m *mirror) disposeSome() (err error) {
	m.r.Shuffle(len(m.ids), func(i, j int) { m.ids[i], m.ids[j] = m.ids[j], m.ids[i] })
	some := slices.Clone(m.ids[:m.r.IntN(min(len(m.ids), 60)+1)])
	m.s, err = DisposeGameObject(m.s, some...)
	for _, id := range some {
		m.disposed(id)
	}
	m.ops["disposeN"]++
	return err
}

// bulk adds, removes or disposes everything that a random rule says.
func (m *mirror) bulk() (err error) {
	ru, k := rules[m.r.IntN(len(rules))], tried[m.r.IntN(len(tried))]
	var hit []GameObject
	for _, id := range m.ids {
		if ru.match(m.has[id]) && !m.has[id][markY] {
			hit = append(hit, id)
		}
	}
	q := NewQuery(ru.terms...).And(Without(markY))
	if impossible(m.s, q) {
		if len(hit) > 0 {
			return fmt.Errorf("%s is refused, and %d match", q, len(hit))
		}
		return nil
	}
	switch op := m.r.IntN(6); {
	case op == 0 && len(hit) < len(m.ids)/3:
		m.s, err = q.DisposeAll(m.s)
		for _, id := range hit {
			m.disposed(id)
		}
		m.ops["disposeAll"]++
	case op < 3:
		m.s, err = q.RemoveAll(m.s, k)
		for _, id := range hit {
			delete(m.has[id], k)
		}
		m.ops["removeAll"]++
	default:
		refused := slices.ContainsFunc(hit, func(id GameObject) bool { return m.has[id][k] }) ||
			m.full(len(slices.DeleteFunc(slices.Clone(hit), func(id GameObject) bool { return m.kept[id][k] })), k)
		if m.s, err = q.AddAll(m.s, k); err == nil {
			for _, id := range hit {
				m.gained(id, k)
			}
			m.ops["addAll"]++
		}
		return m.expect("bulk", err, refused)
	}
	return err
}

func (m *mirror) twin() error {
	id := m.ids[m.r.IntN(len(m.ids))]
	var kinds []Kind
	for k := range m.has[id] {
		kinds = append(kinds, k)
	}
	refused := len(m.ids) == m.s.use().Objects.Cap() || m.full(1, kinds...)
	s, other, err := CopyGameObject(m.s, id)
	m.s = s
	if err == nil {
		m.created(other, m.a[id], kinds...)
		m.a[other], m.c[other] = m.a[id], m.c[id]
		m.ops["copy"]++
	}
	return m.expect("twin", err, refused)
}

func (m *mirror) toggle(id GameObject, k Kind) (err error) {
	if m.r.IntN(12) == 0 {
		m.s, err = DisposeGameObject(m.s, id)
		m.disposed(id)
		return err
	}
	if m.has[id][k] {
		return m.lose(id, k)
	}
	refused := m.full(1, k) && !m.kept[id][k]
	s, err := Add(m.s, id, k)
	if m.s = s; err == nil {
		m.gained(id, k)
	}
	return m.expect("toggle", err, refused)
}

// lose removes or suspends a component.
func (m *mirror) lose(id GameObject, k Kind) (err error) {
	delete(m.has[id], k)
	if k != kindC && !k.Spec().Mark && m.r.IntN(3) == 0 {
		if m.kept[id] == nil {
			m.kept[id] = map[Kind]bool{}
		}
		m.kept[id][k] = true
		m.ops["suspend"]++
		m.s, err = Suspend(m.s, id, k)
		return err
	}
	m.s, err = Remove(m.s, id, k)
	return err
}

// impossible reports whether q is refused in s, because no object can match it.
func impossible(s State, q Query) bool {
	rules, err := query.RulesOf(s.look().Arena, q.spec)
	return err != nil || rules.Possible() != nil
}
