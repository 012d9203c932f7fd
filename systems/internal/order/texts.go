package order

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"slices"

	"github.com/flatecs/flatecs/gameobject"
)

// texts are the values of a field of texts. Their keys are hashes, or prefixes, by which they are
// in order but for those that begin alike.
type texts struct {
	at   func(row uint32) []byte
	seed maphash.Seed
}

// keyOfText returns the key of a text.
func (l *Lists) keyOfText(text []byte) uint64 {
	if l.keys.by == Hashes {
		return maphash.Bytes(l.texts.seed, text)
	}
	var first [8]byte
	copy(first[:], text)
	return binary.BigEndian.Uint64(first[:])
}

// copyTexts makes copied the keys of all rows that are mounted.
func (l *Lists) copyTexts(mounted []uint64) {
	for w, x := range mounted {
		for ; x != 0; x &= x - 1 {
			row := uint32(w<<6 + bits.TrailingZeros64(x))
			binary.LittleEndian.PutUint64(l.copied[row*8:], l.keyOfText(l.texts.at(row)))
		}
	}
}

// textOf returns the text of an object that has one.
func (l *Lists) textOf(object uint32) []byte { return l.texts.at(l.rowOf(object)) }

// FirstOfText returns the first object of a text, and whether there is one. l is by Hashes.
func (l *Lists) FirstOfText(text string) (id gameobject.ID, ok bool) {
	id, n := l.First(maphash.String(l.texts.seed, text))
	if n == 0 || string(l.textOf(id.Index())) == text {
		return id, n != 0
	}
	return l.firstBehind(text)
}

// firstBehind is FirstOfText behind an object of another text of that hash.
func (l *Lists) firstBehind(text string) (id gameobject.ID, ok bool) {
	l.OfText(text, func(of gameobject.ID) bool {
		id, ok = of, true
		return false
	})
	return id, ok
}

// OfText yields the objects of a text, ascending, until yield returns false. The loop may change
// the world, like that of Each. l is by Hashes.
func (l *Lists) OfText(text string, yield func(gameobject.ID) bool) {
	l.OfKey(maphash.String(l.texts.seed, text), func(id gameobject.ID) bool {
		return string(l.textOf(id.Index())) != text || yield(id)
	})
}

// run appends the objects of the key in a place to dst, by text, then ascending, and moves the
// place behind them.
func (l *Lists) run(dst []uint32, p *place) []uint32 {
	first, ok := l.tree.get(p)
	n := len(dst)
	for e := first; ok && e.key == first.key; e, ok = l.tree.get(p) {
		dst = append(dst, e.object)
		p.i++
	}
	if len(dst)-n > 1 {
		slices.SortStableFunc(dst[n:], func(a, b uint32) int {
			return bytes.Compare(l.textOf(a), l.textOf(b))
		})
	}
	return dst
}

// EachText yields the objects of the texts from low to high, like Each. l is by Prefixes.
func (l *Lists) EachText(low, high string, yield func(gameobject.ID) bool) {
	var run []uint32
	last, next := []byte(low), uint32(0) // what was yielded last, and the object behind it
	for {
		l.ready()
		version := l.Version()
		for p := l.tree.seek(entry{key: l.keyOfText(last)}); l.Version() == version; {
			if run = l.run(run[:0], &p); len(run) == 0 {
				return
			}
			for _, object := range run {
				text := l.textOf(object)
				if c := bytes.Compare(text, last); c < 0 || c == 0 && object < next {
					continue
				}
				if string(text) > high {
					return
				}
				last, next = append(last[:0], text...), object+1
				if !yield(l.m.Objects.At(object)) || l.memory == nil {
					return
				}
				if l.Version() != version {
					break
				}
			}
		}
	}
}

// appendTexts is Append for texts.
func (l *Lists) appendTexts(dst []uint32) []uint32 {
	for p, n := (place{}), -1; n != len(dst); {
		n = len(dst)
		dst = l.run(dst, &p)
	}
	return dst
}
