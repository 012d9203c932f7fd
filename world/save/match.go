package save

import (
	"fmt"
	"slices"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
)

// findKinds finds each of the file's kinds among the program's, or keeps it.
func (l *loader) findKinds() error {
	counted, err := systems.CountedKinds(l.counts)
	if err != nil {
		return err
	}
	known := map[string]layout.Count{}
	next := 0 // place of the next foreign kind
	for _, c := range counted {
		known[c.Kind.String()] = c
		c.Kind.Fields() // panics when it is the zero Kind
		next = max(next, c.Kind.Spec().Place)
	}
	l.kinds = make([]layout.Kind, len(l.header.kinds))
	l.columns = make([][]column, len(l.header.kinds))
	seen := map[string]bool{}
	for i := range l.header.kinds {
		k := &l.header.kinds[i]
		seen[k.Name] = true
		c, ok := known[k.Name]
		if !ok {
			if c, err = l.keep(k, int(l.rows[i]), next); err != nil {
				return err
			}
			next++
		}
		if err := l.match(i, c); err != nil {
			return err
		}
	}
	for _, c := range counted {
		if !seen[c.Kind.String()] {
			l.report.New = append(l.report.New, c.Kind.String())
		}
	}
	return nil
}

// keep declares a kind that the program does not have, with room for what there is of it.
func (l *loader) keep(k *FileKind, rows, place int) (c layout.Count, err error) {
	const perObject = 2 // bytes of a world for each kind and object, rounded up
	if n := uint64(len(l.report.Kept)+1) * uint64(l.objectsCounted()) * perObject; !l.allowed(n) ||
		place > maxKinds {
		return c, wrap(ErrTooLarge, "it has %d kinds and more that the program lacks",
			len(l.report.Kept))
	}
	if n := k.bytes(uint64(rows)); !l.allowed(n) {
		return c, wrap(ErrTooLarge, "%s has %d bytes", k.Name, n)
	}
	switch {
	case k.Mark:
		c.Kind = layout.NewForeignMark(place, k.Name)
	case k.Values:
		c = layout.Count{Kind: layout.NewForeign(place, k.Name, layout.Bytes), Rows: rows}
	default:
		fields := make([]layout.AnyField, len(k.Fields))
		for i := range k.Fields {
			f := &k.Fields[i]
			fields[i], err = layout.ForeignField(f.Name, f.Type, f.Lanes, f.Default)
			if err != nil {
				return c, damaged("%s: %v", k.Name, err)
			}
		}
		c = layout.Count{Kind: layout.NewForeign(place, k.Name, nil, fields...), Rows: rows}
	}
	c.Packed = k.Packed
	l.counts.Kinds = append(l.counts.Kinds, c)
	l.report.Kept = append(l.report.Kept, k.Name)
	return c, nil
}

// bytes returns how many bytes so many rows of a kind take in a world, rounded up.
func (k *FileKind) bytes(rows uint64) uint64 {
	n := uint64(16)
	for i := range k.Fields {
		n += uint64(k.Fields[i].Stride)
	}
	return rows * n
}

// allowed reports whether n bytes may be allocated that no counts have asked for.
func (l *loader) allowed(n uint64) bool { return n <= 64<<20+64*l.header.size }

// objectsCounted returns how many objects the world will have room for.
func (l *loader) objectsCounted() int { return max(l.counts.GameObjects, int(l.objects)) }

// match notes where the values of a file's kind go.
func (l *loader) match(i int, c layout.Count) error {
	k, spec := &l.header.kinds[i], c.Kind.Spec()
	if k.Mark != spec.Mark || k.Values != (spec.Values != nil) {
		return wrap(ErrSchema, "%s is %s in the file and %s in the program; give one of them "+
			"another name", k.Name, sortOf(k.Mark, k.Values), sortOf(spec.Mark, spec.Values != nil))
	}
	if k.Packed != (c.Packed && !spec.Mark) {
		return wrap(ErrSchema, "%s is packed in one of the file and the counts; set Packed as "+
			"it was", k.Name)
	}
	l.kinds[i] = c.Kind
	set := make([]bool, len(spec.Fields))
	for j := range k.Fields {
		to, err := l.options.columnOf(k, &k.Fields[j], spec)
		if err != nil {
			return err
		}
		l.columns[i] = append(l.columns[i], to)
		name := k.Name + "." + k.Fields[j].Name
		switch {
		case to.to == nil:
			l.report.Dropped = append(l.report.Dropped, name)
			continue
		case set[to.to.Index]:
			return wrap(ErrMigration, "%s: two of the file's fields become %s; drop a migration",
				name, to.to.Name)
		case to.migration != nil:
			l.report.Migrated = append(l.report.Migrated, to.migration.String())
		}
		if to.migration != nil || !slices.Equal(to.to.Default, k.Fields[j].Default) {
			l.reset(c.Kind)
		}
		set[to.to.Index] = true
	}
	for j, f := range spec.Fields {
		if !set[j] {
			l.report.New = append(l.report.New, k.Name+"."+f.Name)
		}
	}
	return nil
}

// reset notes that rows of a kind that are not in use may not hold the defaults.
func (l *loader) reset(k layout.Kind) {
	if l.idle == nil {
		l.idle = map[layout.Kind]bool{}
	}
	l.idle[k] = true
}

func sortOf(mark, values bool) string {
	switch {
	case mark:
		return "a mark"
	case values:
		return "a kind of Go values"
	}
	return "a kind of fields"
}

// findRecipes keeps the recipes that own objects and that the program does not have.
func (l *loader) findRecipes() error {
	for i := range l.header.parts {
		p := &l.header.parts[i]
		if p.owner != ofObjects || p.name != "owners" {
			continue
		}
		n, _ := p.size()
		if !l.allowed(uint64(n)) {
			return wrap(ErrTooLarge, "%d bytes of owners", n)
		}
		l.owners = make([]byte, n)
		if err := l.readPart(p, l.owners); err != nil {
			return err
		}
	}
	// Places come beyond those of foreign recipes that are there already.
	place := len(l.counts.Recipes)
	to := make([]uint16, 1+len(l.header.recipes)) // of the file's numbers: the world's
	for at := 0; at < len(l.owners); at += 2 {
		from := int(little.Uint16(l.owners[at:]))
		if from >= len(to) {
			return wrap(ErrImpossible, "objects %d and later ones are of recipe %d, of %d", at*32,
				from, len(l.header.recipes))
		}
		if from != 0 && to[from] == 0 {
			n, err := l.recipe(from-1, &place)
			if err != nil {
				return err
			}
			to[from] = uint16(n)
		}
		little.PutUint16(l.owners[at:], to[from])
	}
	return nil
}

// recipe returns the number that recipe i of the file has in the world: that of the same name, the
// second of a name for the second of it.
func (l *loader) recipe(i int, place *int) (int, error) {
	name, before := l.header.recipes[i], 0
	for _, other := range l.header.recipes[:i] {
		if other == name {
			before++
		}
	}
	for n, r := range l.counts.Recipes {
		if r.String() != name {
			continue
		}
		if before == 0 {
			return n + 1, nil
		}
		before--
	}
	if n := uint64(*place+1) * uint64(l.objectsCounted()) / 256; !l.allowed(n) || *place > maxKinds {
		return 0, wrap(ErrTooLarge, "it has %d recipes that the program lacks", *place)
	}
	l.counts.Recipes = append(l.counts.Recipes, systems.ForeignRecipe(*place, name))
	*place++
	return len(l.counts.Recipes), nil
}

// findWatchers finds each of the file's watchers among the world's, by its rules.
func (l *loader) findWatchers() error {
	rules := systems.ShapeOf(l.state).Watchers
	found := make([]bool, len(rules))
	for _, rule := range l.header.watchers {
		to := -1
		for i := range rules {
			if rules[i] == rule && !found[i] {
				to, found[i] = i, true
				break
			}
		}
		if to < 0 {
			l.report.Dropped = append(l.report.Dropped, "watcher of "+rule)
		}
		l.watchers = append(l.watchers, to)
	}
	for i := range rules {
		if !found[i] {
			l.report.New = append(l.report.New, "watcher of "+rules[i])
		}
	}
	return nil
}

// checkRoom checks that the world has room for what was ever used.
func (l *loader) checkRoom() error {
	shape := systems.ShapeOf(l.state)
	if l.objects > uint64(shape.Objects) {
		return fmt.Errorf("save: %d game objects are in the file, and there is room for %d; "+
			"raise Counts.GameObjects: %w", l.objects, shape.Objects, systems.ErrTooMany)
	}
	if shape.InOrder != l.header.inOrder {
		return wrap(ErrSchema, "Counts.InOrder was %v; set it so", l.header.inOrder)
	}
	for i, k := range l.kinds {
		j := slices.IndexFunc(shape.Kinds, func(c layout.Count) bool { return c.Kind == k })
		if rows := shape.Kinds[j].Rows; l.rows[i] > uint64(rows) {
			return fmt.Errorf("save: %s: %d rows are in the file, and there is room for %d; "+
				"raise its count: %w", k, l.rows[i], rows, systems.ErrFull)
		}
	}
	return nil
}
