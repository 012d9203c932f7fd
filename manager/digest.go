package manager

import (
	"bytes"

	"github.com/zeebo/xxh3"
)

// Digest returns a hash of the used truth of the world: the xxh3 of each of its parts in order,
// each seeded with the hash of the part before, the first with 0. Derived parts, and state outside
// the bytes, are not included.
func (a *Arena) Digest() (sum uint64) {
	parts := a.layout()
	for i := range parts {
		if p := &parts[i]; p.Truth {
			a.checkUsed(p)
			sum = xxh3.HashSeed(a.Used(p), sum)
		}
	}
	return sum
}

// Equal reports whether two worlds that are [Arena.Like] each other have the same truth.
func (a *Arena) Equal(b *Arena) bool { return a.differs(b) < 0 }

// differs returns the index of the first part whose truth differs, or -1.
func (a *Arena) differs(b *Arena) int {
	parts := a.layout()
	for i := range parts {
		if p := &parts[i]; p.Truth && !bytes.Equal(a.Used(p), b.Used(p)) {
			return i
		}
	}
	return -1
}
