package manager

import (
	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/buffer/kernel"
	"github.com/flatecs/flatecs/gameobject"
)

// CopyFrom makes a equal to from; the two must be [Arena.Like] each other. It copies the used
// prefix of each part, derived parts included, and allocates nothing.
//
// If a and from were equal at tick since, only parts and rows stamped with that tick or a later one
// are copied. A since of 0 copies everything.
func (a *Arena) CopyFrom(from *Arena, since uint64) {
	if a == from {
		return
	}
	for i := range a.Managers {
		a.Managers[i].prepare(from.Managers[i].count.High)
		if m, n := &a.Managers[i], &from.Managers[i]; m.Values != nil &&
			(reshaped(m, n, since) || rewritten(m, n, since)) {
			m.copyValues(n)
		}
	}
	parts := a.layout()
	for i := range parts { // before the counters, which say what is used
		p := &parts[i]
		if p.Kind == nil || reshaped(&a.Managers[p.Place], &from.Managers[p.Place], since) {
			a.wipe(p, from.used(p))
		}
	}
	whole, some := true, true
	for i := range parts {
		p := &parts[i]
		from.checkUsed(p)
		dst, used := a.part(p), from.Used(p)
		if p.Kind == nil {
			if p.per == perPoolGroup { // copied completely
				kernel.CopySparse(dst, used)
			} else {
				buffer.Copy(dst, used)
			}
			continue
		}
		m, n := &a.Managers[p.Place], &from.Managers[p.Place]
		if p.Name == "counters" && p.Field == nil { // the first part of a region
			whole, some = reshaped(m, n, since), rewritten(m, n, since)
		}
		switch {
		case whole:
			buffer.Copy(dst, used)
		case some && p.Field != nil:
			copyStamped(dst, used, 64*p.Unit, [2][]uint64{m.changed, n.changed}, since)
		}
	}
	for i := range a.Managers {
		if m, n := &a.Managers[i], &from.Managers[i]; rewritten(m, n, since) {
			copy(m.changed, n.changed[:(n.count.High+63)/64])
			m.count.Changed = n.count.Changed
		}
	}
}

// reshaped reports whether the structure of m or n changed at since or later.
func reshaped(m, n *Manager, since uint64) bool {
	return since == 0 || m.reshapedSince(since) || n.reshapedSince(since)
}

// rewritten reports whether a value of m or n was written at since or later.
func rewritten(m, n *Manager, since uint64) bool {
	m.checkChanged()
	n.checkChanged()
	return max(m.count.Changed, n.count.Changed) >= since
}

func (m *Manager) copyValues(from *Manager) {
	n := from.MaxIndex()
	for row := n; row < m.MaxIndex(); row++ {
		m.Values.Reset(row)
	}
	m.Values.Copy(from.Values, n)
}

// copyStamped copies each piece of size bytes whose stamp, in either list, is at least since.
func copyStamped(dst, src []byte, size int, stamps [2][]uint64, since uint64) {
	n := (len(src) + size - 1) / size
	x, y := stamps[0][:n], stamps[1][:n]
	for lo := 0; lo < n; lo++ {
		if max(x[lo], y[lo]) < since {
			continue
		}
		hi := lo + 1
		for hi < n && max(x[hi], y[hi]) >= since {
			hi++
		}
		buffer.Copy(dst[lo*size:], src[lo*size:min(hi*size, len(src))])
		lo = hi
	}
}

// Revise replaces each recorded id in a field by what resolve returns, in rows that were written at
// tick since or later, and stamps the rows it changes. offsets are the byte offsets of the ids
// within a row.
func (m *Manager) Revise(
	field int, offsets []int, since uint64, resolve func(gameobject.ID) gameobject.ID,
) {
	m.checkChanged()
	if m.count.Changed < since {
		return
	}
	c := &m.Columns[field]
	words, stride := buffer.Span[gameobject.ID](c.Base, 0, len(c.Bytes)/8), c.Stride/8
	for w, t := range m.changed[:(m.count.High+63)/64] {
		if t < since {
			continue
		}
		end := min((w+1)<<6, int(m.count.High)) * stride
		if reviseRows(words[w<<6*stride:end], offsets, stride, resolve) {
			m.Touch(uint32(w<<6), 1)
		}
	}
}

// reviseRows is Revise for consecutive rows. It reports whether it changed any.
func reviseRows(
	ids []gameobject.ID, offsets []int, stride int, resolve func(gameobject.ID) gameobject.ID,
) (changed bool) {
	for _, at := range offsets {
		for i := at / 8; i < len(ids); i += stride {
			if id := ids[i]; id.Recorded() {
				ids[i] = resolve(id)
				changed = changed || ids[i] != id
			}
		}
	}
	return changed
}
