package save

import (
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
)

// A filler fills a world from a file, as planned.
type filler struct {
	plan    *plan
	source  *source
	options *Options
	state   systems.State
	dst     map[place][]byte
	turns   []turn
	relaid  []relaying
	rings   [][][]byte // per ring and field: its column in the world
}

// A turn is the set of objects that had a kind of the file and get a kind of another sort.
type turn struct {
	kind layout.Kind // of the world
	bits []uint64    // one bit per object: it has the kind
	rows int
}

// A relaying is a set of lists of the file whose elements are converted.
type relaying struct {
	*relaid
	lists  FileList
	owners []byte // of the rows
}

// A place is the memory of a part in a world.
type place struct {
	owner owner
	of    int               // watcher
	kind  *layout.KindSpec  // nil: belongs to no kind
	field *layout.FieldSpec // nil: no column
	name  string
}

// columnIn returns the values of a field in the world.
func (l *filler) columnIn(f *layout.FieldSpec) []byte {
	return l.dst[place{owner: ofKind, kind: f.Kind, field: f, name: f.Name}]
}

// partIn returns a part of a kind in the world that is not a column.
func (l *filler) partIn(k layout.Kind, name string) []byte {
	return l.dst[place{owner: ofKind, kind: k.Spec(), name: name}]
}

// findPlaces lists the places of the world's parts.
func (l *filler) findPlaces() {
	l.dst = map[place][]byte{}
	for _, p := range tool.Parts(l.state) {
		if !p.Truth {
			continue
		}
		at := place{owner: ofWorld, kind: p.Kind, field: p.Field, name: p.Name}
		switch {
		case p.Kind != nil:
			at.owner = ofKind
		case p.Owner == "game objects":
			at.owner = ofObjects
		case p.Owner != "world":
			at.owner, at.of = ofWatcher, p.Place
		}
		l.dst[at] = p.Bytes
	}
}

// target returns the place that a part is read into unchanged, or nil.
func (l *filler) target(p *part) []byte {
	at := place{owner: p.owner, name: p.name}
	switch {
	case l.plan.leftOut(p):
		return nil
	case p.owner == ofKind && p.field == noField:
		return l.partIn(l.plan.kinds[p.of].kind, p.name)
	case p.owner == ofKind:
		to := l.plan.kinds[p.of].columns[p.field]
		if to.to == nil || !to.isVerbatim() {
			return nil
		}
		return l.columnIn(to.to)
	case p.owner == ofWatcher:
		at.of = l.plan.watchers[p.of]
	}
	return l.dst[at]
}
