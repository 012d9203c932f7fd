package manager

import (
	"fmt"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
)

// Adopt copies from into a, a new world that may have other counts; ids and rows stay the same. It
// has the pools and watchers of from. If something in use does not fit, the error wraps [ErrFull],
// [gameobject.ErrTooMany] or [ErrNoKind], and a is unusable.
func (a *Arena) Adopt(from *Arena) error {
	if err := a.hasRoomFor(from); err != nil {
		return err
	}
	for i := range from.Managers {
		if to := a.Find(from.Managers[i].Kind); to != nil {
			to.prepare(from.Managers[i].count.High)
		}
	}
	parts := make(map[partKey][]byte)
	for _, p := range a.layout() {
		parts[p.key()] = a.part(&p)
	}
	for _, p := range from.layout() {
		if to := parts[p.key()]; to != nil && p.Truth {
			buffer.Copy(to, from.Used(&p))
		}
	}
	for i := range from.Managers {
		m := &from.Managers[i]
		if to := a.Find(m.Kind); to != nil && to.Values != nil {
			to.Values.Copy(m.Values, m.MaxIndex())
		}
	}
	return a.Rebuild()
}

// A partKey identifies a part independently of the counts.
type partKey struct {
	owner, name string
	kind, field bool
}

func (p *Part) key() partKey { return partKey{p.Owner, p.Name, p.Kind != nil, p.Field != nil} }

func (a *Arena) hasRoomFor(from *Arena) error {
	if int(from.Objects.Count.High) > a.Objects.Cap() {
		return &Error{gameobject.ErrTooMany, "game object", gameobject.Nobody, a.Objects.Cap()}
	}
	for i := range from.Managers {
		m := &from.Managers[i]
		to := a.Find(m.Kind)
		switch {
		case to == nil && m.Live() > 0:
			return &Error{ErrNoKind, m.Kind.Name, gameobject.Nobody, 0}
		case to == nil:
		case m.MaxIndex() > to.Cap():
			return &Error{ErrFull, m.Kind.Name, gameobject.Nobody, to.Cap()}
		case m.packed != to.packed:
			return fmt.Errorf("flatecs: %s: packed in one world; set Packed in both counts",
				layout.Quoted(m.Kind.Name))
		}
	}
	return nil
}
