package pack

import (
	"fmt"

	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// A writer writes a pack.
type writer struct {
	from    selection
	objects int                // of the pack
	others  []world.GameObject // outside the pack, with references from it
	scratch []byte
}

// appendPack appends the n chosen objects.
func (w *writer) appendPack(b []byte, d *dictionary, n int) ([]byte, error) {
	w.objects, w.others = n, w.others[:0]
	first := len(b)
	b = append(b, magic...)
	b = appendZeros(b, headerSize-len(magic))
	for i := range w.from.kinds {
		b = append(b, d.entry(w.from.kinds[i].spec)...)
	}
	for i := range w.from.groups.Len() {
		var err error
		if b, err = w.appendGroup(b, i); err != nil {
			return b, err
		}
	}
	for _, id := range w.others {
		b = little.AppendUint64(b, uint64(id))
	}
	head := b[first:]
	little.PutUint64(head[atSize:], uint64(len(head)))
	little.PutUint32(head[atVersion:], 1)
	if len(w.others) > 0 {
		little.PutUint32(head[atVersion:], version)
	}
	little.PutUint32(head[atObjects:], uint32(n))
	little.PutUint32(head[atGroups:], uint32(w.from.groups.Len()))
	little.PutUint16(head[atKinds:], uint16(len(w.from.kinds)))
	little.PutUint64(head[atSum:], xxh3.Hash(head[atSize:]))
	return b, nil
}

func (w *writer) appendGroup(b []byte, i int) ([]byte, error) {
	g := w.from.groups
	b = little.AppendUint32(b, uint32(g.Objects(i)))
	at, words := len(b), (len(w.from.kinds)+7)/8
	b = appendZeros(b, 2*words)
	for n := range w.from.kinds {
		if g.Has(i, w.from.kinds[n].number) {
			b[at+n/8] |= 1 << (n % 8)
		} else if g.Keeps(i, w.from.kinds[n].number) {
			b[at+words+n/8] |= 1 << (n % 8)
		}
	}
	for _, place := range g.Places(i) {
		b = little.AppendUint32(b, place)
	}
	for n := range w.from.kinds {
		k := &w.from.kinds[n]
		if !g.Has(i, k.number) && !g.Keeps(i, k.number) || k.sort == withoutData {
			continue
		}
		c := g.Components(i, k.number)
		var err error
		if b, err = w.appendComponents(b, k, &c); err != nil {
			return b, err
		}
	}
	return b, nil
}

func (w *writer) appendComponents(b []byte, k *kind, c *tool.Components) ([]byte, error) {
	switch k.sort {
	case withName:
		return w.appendNames(b, c), nil
	case withValue:
		return appendValues(b, k, c)
	}
	for i, f := range k.spec.Fields {
		at := len(b)
		if f.List != nil {
			b, at = appendLists(b, c, f)
			f = f.List.Element
		} else {
			b = c.AppendColumn(b, i)
		}
		for _, ref := range f.Refs {
			for column := b[at:]; len(column) > 0; column = column[f.Stride:] {
				id := world.GameObject(little.Uint64(column[ref:]))
				little.PutUint64(column[ref:], w.reference(id))
			}
		}
	}
	return b, nil
}

// appendNames appends the length and the text of each name.
func (w *writer) appendNames(b []byte, c *tool.Components) []byte {
	w.scratch = c.AppendColumn(w.scratch[:0], 0)
	const size = systems.MaxName + 1
	for text := w.scratch; len(text) > 0; text = text[size:] {
		b = append(b, text[:1+min(int(text[0]), systems.MaxName)]...)
	}
	return b
}

// appendValues appends the length and the encoding of each Go value.
func appendValues(b []byte, k *kind, c *tool.Components) ([]byte, error) {
	for _, row := range c.Rows() {
		at := len(b)
		b = append(b, 0, 0, 0, 0)
		var err error
		if b, err = k.codec.Append(b, c.Values(), int(row)); err != nil {
			return b, fmt.Errorf("pack: %w", err)
		}
		little.PutUint32(b[at:], uint32(len(b)-at-4))
	}
	return b, nil
}

// reference returns the encoding of a reference to id.
func (w *writer) reference(id world.GameObject) uint64 {
	if id == 0 {
		return 0
	}
	if place, ok := w.from.groups.Place(id); ok {
		return inside | uint64(place)
	}
	if global := globalOf(w.from.state, id); global != 0 || !world.Alive(w.from.state, id) {
		return global
	}
	if n := len(w.others); n == 0 || w.others[n-1] != id {
		w.others = append(w.others, id)
	}
	return inside | uint64(w.objects+len(w.others)-1)
}
