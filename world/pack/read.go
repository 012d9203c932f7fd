package pack

import (
	"unicode/utf8"

	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/world/internal/kinds"
)

// A reader reads a pack.
type reader struct {
	kinds.Cursor
	version uint32
	objects int
	groups  int
	table   []byte   // ids of objects outside the pack
	placed  []uint64 // a bit per place that belongs to a group
	parts   []part   // the groups
}

// A part is a group of a pack.
type part struct {
	objects    int
	has, keeps []byte // a bit per kind of the pack
	places     []byte
	components []byte
}

// open checks the header of a pack.
func (r *reader) open(b []byte) (dictionary int, err error) {
	switch {
	case len(b) < len(magic) || string(b[:len(magic)]) != magic:
		return 0, wrap(ErrNotPack, "it does not begin with %q", magic)
	case len(b) < headerSize:
		return 0, damaged("%d bytes, and the header alone has %d", len(b), headerSize)
	case little.Uint32(b[atVersion:]) > version:
		return 0, wrap(ErrNewer, "format %d, this library reads up to %d; update it",
			little.Uint32(b[atVersion:]), version)
	case little.Uint64(b[atSize:]) != uint64(len(b)):
		return 0, damaged("%d bytes, and it says %d", len(b), little.Uint64(b[atSize:]))
	case little.Uint64(b[atSum:]) != xxh3.Hash(b[atSize:]):
		return 0, damaged("its hash is %016x, and it says %016x", xxh3.Hash(b[atSize:]),
			little.Uint64(b[atSum:]))
	case little.Uint32(b[atVersion:]) == 0 || little.Uint16(b[atKinds+2:]) != 0:
		return 0, damaged("format %d does not exist", little.Uint32(b[atVersion:]))
	}
	objects, groups := little.Uint32(b[atObjects:]), little.Uint32(b[atGroups:])
	if uint64(objects) > uint64(len(b))/4 || groups > objects {
		return 0, damaged("%d objects in %d groups, in %d bytes", objects, groups, len(b))
	}
	r.Cursor, r.objects, r.groups = kinds.Cursor{Rest: b[headerSize:]}, int(objects), int(groups)
	r.version, r.table = little.Uint32(b[atVersion:]), nil
	return int(little.Uint16(b[atKinds:])), nil
}

// readGroup reads the head of a group: its number of objects, and its kinds. It checks the places.
func (r *reader) readGroup(dictionary int) (g part, err error) {
	words := (dictionary + 7) / 8
	g.objects = int(r.Number(4))
	if g.objects < 1 || g.objects > r.objects {
		return g, damaged("a group of %d objects, of %d", g.objects, r.objects)
	}
	g.has, g.keeps, g.places = r.Take(words), r.Take(words), r.Take(4*g.objects)
	if g.places == nil {
		return g, damaged("a group of %d objects is cut off", g.objects)
	}
	if used := dictionary % 8; used != 0 && (g.has[words-1]|g.keeps[words-1])>>used != 0 {
		return g, damaged("a group has a kind that is not in the pack")
	}
	for at := 0; at < len(g.places); at += 4 {
		place := little.Uint32(g.places[at:])
		if place >= uint32(r.objects) || r.placed[place>>6]>>(place&63)&1 != 0 {
			return g, damaged("an object has place %d of %d, or shares it", place, r.objects)
		}
		r.placed[place>>6] |= 1 << (place & 63)
	}
	return g, nil
}

// leavesPack reports whether a reference is to an object outside the pack.
func (r *reader) leavesPack(x uint64) bool {
	return x != 0 && (x&inside == 0 || x&^inside >= uint64(r.objects))
}

// checkNames checks n names.
func (r *reader) checkNames(n int) error {
	for range n {
		b := r.Take(1)
		if len(b) == 0 || b[0] > systems.MaxName {
			return damaged("a name is cut off, or longer than %d bytes", systems.MaxName)
		}
		if name := r.Take(int(b[0])); name == nil || !utf8.Valid(name) {
			return damaged("a name is cut off, or not UTF-8")
		}
	}
	return nil
}

func bit(set []byte, i int) bool { return set[i/8]>>(i%8)&1 != 0 }
