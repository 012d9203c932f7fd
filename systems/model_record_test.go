package systems

import (
	"errors"
	"fmt"
	"slices"

	"github.com/flatecs/flatecs/layout"
)

// record makes several changes by commands: spawns, then values and references, then kinds, then
// disposals.
func (m *model) record() error {
	c := Record(m.s)
	var then []func() error // what each does to the model, or why it is refused
	later := func(f func() error) { then = append(then, f) }
	became := map[GameObject]GameObject{}
	object := func(id GameObject) GameObject {
		if id.Recorded() {
			return became[id]
		}
		return id
	}
	var made []GameObject
	someone := func() GameObject {
		if len(made) > 0 && m.r.IntN(2) == 0 {
			return made[m.r.IntN(len(made))]
		}
		return m.some()
	}
	for range m.r.IntN(5) {
		n := m.recipe()
		of := &modelRecipes[n]
		to := GameObject(0)
		var values []layout.FieldValue
		if of.recipe == related {
			to = someone()
			values = append(values, childOf.Value(to))
		}
		id := c.Spawn(of.recipe, values...)
		made = append(made, id)
		later(func() error {
			if parent := object(to); to != 0 && m.things[parent] == nil {
				became[id] = 1 << 62
				return ErrDead
			}
			if err := m.room(1, of.kinds...); err != nil {
				became[id] = 1 << 62
				return err
			}
			became[id] = sure(Applied(m.s, id))
			m.born(became[id], n).to[0] = object(to)
			return nil
		})
	}
	m.recordChanges(c, someone, object, later)
	var gone []GameObject
	for range m.r.IntN(4) {
		if id := m.some(); m.things[id] != nil && !slices.Contains(gone, id) {
			c.Dispose(id)
			gone = append(gone, id)
		}
	}
	s, err := Apply(m.s)
	m.s, m.image = s, nil // what is not refused is done
	return m.applied(err, then, gone)
}

// recordChanges records some values and references, then some kinds.
func (m *model) recordChanges(
	c Commands, someone func() GameObject, object func(GameObject) GameObject, later func(func() error),
) {
	for range m.r.IntN(5) {
		id, a := someone(), cells[cellA].draw(m.r).([3]float32)
		Put(c, id, fieldA, a)
		later(func() error { return m.put(object(id), kindA, func(t *thing) { t.values[cellA] = a }) })
		if child, to := someone(), someone(); m.related {
			Put(c, child, childOf, to)
			later(func() error { return m.putReference(object(child), object(to)) })
		}
	}
	for range m.r.IntN(5) {
		id, k := someone(), tried[m.r.IntN(len(tried))]
		if m.r.IntN(2) == 0 {
			c.Add(id, k)
			later(func() error { return m.put(object(id), k, nil) })
			continue
		}
		c.Remove(id, k)
		later(func() error {
			if t := m.things[object(id)]; t == nil {
				return ErrDead
			} else if !t.has[k] {
				return ErrRemove
			}
			m.lost(object(id), k)
			return nil
		})
	}
}

// put gives an object a kind, and a value of it; without a value, it must not have the kind.
func (m *model) put(id GameObject, k Kind, write func(t *thing)) error {
	t := m.things[id]
	if t == nil {
		return ErrDead
	}
	if write == nil || !t.has[k] {
		if err := m.addable(id, k); err != nil {
			return err
		}
		m.gained(id, k)
	}
	if write != nil {
		write(t)
		t.wrote[k] = Tick(m.s)
	}
	return nil
}

// putReference is put of a reference by childOf: if it is refused, the kind is not added either.
func (m *model) putReference(id, to GameObject) error {
	t, k := m.things[id], childOf.Kind()
	if t == nil || to != 0 && m.things[to] == nil {
		return ErrDead
	}
	var err error
	if !t.has[k] {
		err = m.addable(id, k)
	}
	for at := to; at != 0; at = m.things[at].to[0] {
		if at == id {
			err = ErrRing
		}
	}
	if err == nil {
		if !t.has[k] {
			m.gained(id, k)
		}
		t.to[0] = to
	}
	return err
}

// applied does to the model what Apply has done, and compares what was refused.
func (m *model) applied(err error, then []func() error, gone []GameObject) error {
	var all *ApplyError
	errors.As(err, &all)
	got := map[int]error{}
	if all != nil {
		for _, e := range all.Refused {
			got[e.Number] = e
		}
	}
	for n, f := range then {
		if err := m.agree("apply", f(), got[n]); err != nil {
			return fmt.Errorf("command %d of %d: %w", n, len(then), err)
		}
		delete(got, n)
	}
	if wrong := m.disposeSome(gone); len(wrong) != len(got) {
		return fmt.Errorf("disposals are refused by %v, not %v", got, wrong)
	}
	return nil
}
