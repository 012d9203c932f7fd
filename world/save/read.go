package save

import (
	"slices"

	"github.com/flatecs/flatecs/systems"
)

// create makes the world that the file is read into.
func (l *loader) create() (err error) {
	if l.state, err = systems.CreateState(l.counts); err != nil {
		return err
	}
	l.created = true
	l.report.Counts = l.counts
	return nil
}

// findPlaces lists where the parts of the world lie.
func (l *loader) findPlaces() error {
	l.dst = map[place][]byte{}
	for _, p := range systems.Parts(l.state) {
		if !p.Truth {
			continue
		}
		at := place{ofWorld, 0, noField, p.Name}
		switch {
		case p.Kind != nil:
			at.owner, at.of = ofKind, p.Place
		case p.Owner == "game objects":
			at.owner = ofObjects
		case p.Owner != "world":
			at.owner, at.of = ofWatcher, p.Place
		}
		if p.Field != nil {
			at.field = p.Field.Index
		}
		l.dst[at] = p.Bytes
	}
	return nil
}

// readParts reads every part to its place.
func (l *loader) readParts() error {
	for i := range l.header.parts {
		p := &l.header.parts[i]
		if err := l.readTo(p); err != nil {
			return err
		}
	}
	return nil
}

func (l *loader) readTo(p *part) error {
	at := place{p.owner, p.of, p.field, p.name}
	switch p.owner {
	case ofKind:
		n, err := systems.NumberOf(l.state, l.kinds[p.of])
		if err != nil {
			return err
		}
		if at.of = n; p.field != noField {
			return l.readColumn(p, at)
		}
		if p.name == values || p.name == lengths {
			return l.readValues(p)
		}
	case ofWatcher:
		if at.of = l.watchers[p.of]; at.of < 0 {
			return l.skip(p)
		}
	case ofWorld, ofObjects:
	}
	n, _ := p.size()
	return l.readPart(p, l.dst[at][:n])
}

func (l *loader) skip(p *part) error {
	r, err := l.open(p)
	if err != nil {
		return err
	}
	defer r.close()
	if err := r.skip(); err != nil {
		return err
	}
	return r.end()
}

// readColumn reads the values of a field.
func (l *loader) readColumn(p *part, at place) error {
	to := l.columns[p.of][p.field]
	if to.to == nil {
		return l.skip(p)
	}
	at.field, at.name = to.to.Index, to.to.Name
	dst := l.dst[at]
	if to.migration == nil {
		n, _ := p.size()
		return l.readPart(p, dst[:n])
	}
	r, err := l.open(p)
	if err != nil {
		return err
	}
	defer r.close()
	lanes := l.header.kinds[p.of].Fields[p.field].Lanes
	src := make([]byte, p.unit*max(1, piece/p.unit))
	for left := int(p.units); left > 0; {
		n := min(left, len(src)/p.unit)
		if err := r.read(src[:n*p.unit]); err != nil {
			return err
		}
		to.migration.convert(dst, src[:n*p.unit], n, lanes)
		dst, left = dst[n*to.to.Stride:], left-n
	}
	return r.end()
}

// readValues reads the values of a kind when it comes to them, with their lengths before them.
func (l *loader) readValues(p *part) error {
	if p.name == lengths {
		return nil // with the values, next
	}
	codec, err := l.options.codec(l.kinds[p.of])
	if err != nil {
		return err
	}
	i := slices.IndexFunc(l.header.parts, func(q part) bool {
		return q.owner == ofKind && q.of == p.of && q.name == lengths && q.field == noField
	})
	b, err := l.readAside(&l.header.parts[i])
	if err != nil {
		return err
	}
	all, err := l.readAside(p)
	if err != nil {
		return err
	}
	column, _ := systems.ValueColumn(l.state, l.kinds[p.of])
	return codec.decodeAll(column, b, all)
}

// readAside reads a part that has no place in a world.
func (l *loader) readAside(p *part) ([]byte, error) {
	n, _ := p.size()
	if !l.allowed(uint64(n)) {
		return nil, wrap(ErrUncompacted, "%s has %d bytes", l.header.title(&p.partName), n)
	}
	b := make([]byte, n)
	return b, l.readPart(p, b)
}

// fixOwners gives the objects' blocks the recipes that they have here.
func (l *loader) fixOwners() error {
	copy(l.dst[place{ofObjects, 0, noField, "owners"}], l.owners)
	return nil
}

// finish makes the rest of the world from what was read, and checks all of it.
func (l *loader) finish() (err error) {
	if systems.Tick(l.state) != l.header.tick {
		return wrap(ErrImpossible, "tick %d, and the header says %d", systems.Tick(l.state),
			l.header.tick)
	}
	for k := range l.idle {
		l.state = systems.ResetIdle(l.state, k)
	}
	for i, w := range l.counts.Watchers {
		if !slices.Contains(l.watchers, i) {
			l.state = systems.Forget(l.state, w)
		}
	}
	if l.state, err = systems.Rebuild(l.state); err != nil {
		return wrap(ErrImpossible, "%v", err)
	}
	return nil
}
