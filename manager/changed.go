package manager

import "github.com/flatecs/flatecs/buffer"

// CopyChanged is CopyFrom where a and from were equal at a tick, and later is the one of them that
// went on: what it changed since bears that tick, or one after it, and nothing else of a kind's
// region is copied.
func (a *Arena) CopyChanged(from, later *Arena, since uint64) {
	for i := range a.Managers {
		m, now := &a.Managers[i], &later.Managers[i]
		if m.Values != nil && (now.reshapedSince(since) || now.count.Changed >= since) {
			m.copyValues(&from.Managers[i])
		}
	}
	for i := range a.Parts { // before the counters change, which say what is used
		if p := &a.Parts[i]; p.Kind == nil || later.Managers[p.Place].reshapedSince(since) {
			a.wipe(p, from.used(&from.Parts[i]))
		}
	}
	whole := true
	for i := range a.Parts {
		p, q := &a.Parts[i], &from.Parts[i]
		if p.Kind == nil {
			buffer.Copy(p.Bytes, from.Used(q))
			continue
		}
		now := &later.Managers[p.Place]
		if p.Name == "counters" && p.Field == nil { // the first of a region
			whole = now.reshapedSince(since)
		}
		switch {
		case whole:
			buffer.Copy(p.Bytes, from.Used(q))
		case now.count.Changed < since:
		case p.Field != nil:
			copyStamped(p.Bytes, from.Used(q), 64*p.Unit, now.changed, since)
		}
	}
	for i := range a.Managers {
		if later.Managers[i].count.Changed >= since {
			a.Managers[i].copyStamps(&from.Managers[i])
		}
	}
}

func (m *Manager) copyValues(from *Manager) {
	n := from.MaxIndex()
	for row := n; row < m.MaxIndex(); row++ {
		m.Values.Reset(row)
	}
	m.Values.Copy(from.Values, n)
}

// copyStamps copies when rows changed, and the counters. What is used is the same in both.
func (m *Manager) copyStamps(from *Manager) {
	words := (from.count.High + 63) / 64
	copy(m.changed[:words], from.changed[:words])
	m.count.Changed = from.count.Changed
}

// copyStamped copies the stretches of size bytes whose stamps are at least since.
func copyStamped(dst, src []byte, size int, stamps []uint64, since uint64) {
	for lo := 0; lo*size < len(src); lo++ {
		if stamps[lo] < since {
			continue
		}
		hi := lo + 1
		for hi*size < len(src) && stamps[hi] >= since {
			hi++
		}
		buffer.Copy(dst[lo*size:], src[lo*size:min(hi*size, len(src))])
		lo = hi
	}
}
