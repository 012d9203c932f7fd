package save

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world/internal/failure"
	"github.com/flatecs/flatecs/world/internal/kinds"
)

// randomSource is the resource of a world with Counts.Seed.
const randomSource = "random source"

// findKinds finds each of the file's kinds among the program's, or keeps it.
func (l *loader) findKinds() error {
	if !l.spare && slices.ContainsFunc(l.header.kinds, func(k FileKind) bool {
		return k.Name == randomSource
	}) {
		l.counts.Random = true // and its numbers are those of the file
	}
	_, counted, err := l.counts.Room()
	if err != nil {
		return err
	}
	l.known = map[string]layout.Count{}
	for _, c := range counted {
		l.known[c.Kind.String()] = c
		c.Kind.Fields() // panics when it is the zero Kind
		l.place = max(l.place, c.Kind.Spec().Place)
	}
	if err := l.checkMigrations(); err != nil {
		return err
	}
	l.kinds = make([]layout.Kind, len(l.header.kinds))
	l.columns = make([][]column, len(l.header.kinds))
	seen := map[string]bool{}
	for i := range l.header.kinds {
		name := l.nameOf(i)
		seen[name] = true
		if err := l.checkLists(i, name); err != nil {
			return err
		}
		if c, ok := l.known[name]; ok && !l.isRelaid(i) {
			if err := l.match(i, c); err != nil {
				return err
			}
		}
	}
	for i := range l.header.kinds {
		if l.kinds[i].Spec() == nil && l.turnOf(i) == nil && !l.isRelaid(i) {
			if err := l.findOther(i); err != nil {
				return err
			}
		}
	}
	if err := l.linkLists(); err != nil {
		return err
	}
	for _, c := range counted {
		if !seen[c.Kind.String()] {
			l.report.New = append(l.report.New, layout.Quoted(c.Kind.String()))
		}
	}
	if err := l.checkUnused(); err != nil {
		return err
	}
	return l.refuse()
}

// findOther keeps a kind that is not the program's, unless it is useless.
func (l *loader) findOther(i int) (err error) {
	k := &l.header.kinds[i]
	c, ok := l.known[k.Name] // a spare world has it
	switch {
	case !ok && (l.header.isLast(k) || l.dropsList(k) ||
		l.drops(k.Name, strings.TrimPrefix(k.Name, systems.ReadersOf))):
		l.report.Dropped = append(l.report.Dropped, layout.Quoted(k.Name))
		return nil
	case !ok:
		if c, err = l.keep(k, int(l.rows[i])); err != nil {
			return err
		}
		l.report.Kept = append(l.report.Kept, layout.Quoted(k.Name))
	}
	return l.match(i, c)
}

// isLast reports whether k has the last values that one of the file's watchers keeps. They are of
// no use without that watcher: the kinds are called after its rules, by [systems.Watcher.Keep].
func (h *header) isLast(k *FileKind) bool {
	before := map[string]int{}
	for _, rules := range h.watchers {
		name := rules
		if n := before[rules]; n > 0 {
			name = fmt.Sprintf("%d: %s", n, rules)
		}
		before[rules]++
		for _, list := range []string{"gone: ", "left: "} {
			rest, ok := strings.CutPrefix(k.Name, list+name)
			if ok && (rest == "" || k.Values && strings.HasPrefix(rest, ": ")) {
				return true
			}
		}
	}
	return false
}

// leftOut reports whether a part is of a kind that the world does not have.
func (l *loader) leftOut(p *part) bool { return p.owner == ofKind && l.kinds[p.of].Spec() == nil }

// keep declares a kind that the program does not have, with room for what there is of it.
func (l *loader) keep(k *FileKind, rows int) (c layout.Count, err error) {
	place := l.place
	if n := k.bytes(uint64(rows), l.objects); !l.take(n) {
		return c, wrap(ErrTooLarge, "%s takes %d bytes, after %d that the program lacks take %d; "+
			"count kinds that may be large", layout.Quoted(k.Name), n, place, l.taken)
	}
	described := k.described()
	if c.Kind, err = described.Declare(place); err != nil {
		return c, damaged("%v", err)
	}
	switch {
	case k.ByBlock:
		c.Free, c.ByBlock = true, true
	case !k.Mark:
		c.Rows = rows
	}
	c.Packed = k.Packed
	l.counts.Kinds = append(l.counts.Kinds, c)
	l.place++
	return c, nil
}

// bytes returns how many bytes a kind takes in a world, rounded up.
func (k *FileKind) bytes(rows, objects uint64) uint64 {
	const declared = 12 << 10 // bytes of what is made for a kind without rows
	n := declared + objects
	if k.Mark {
		return n
	}
	perRow := uint64(16)
	if k.Values {
		perRow += 32 // a slice, and what a short one leads to
	}
	for i := range k.Fields {
		perRow += uint64(k.Fields[i].Stride)
	}
	return n + rows*perRow + min(rows, objects/64+1)*256 // rows out of lockstep
}

// take notes that n bytes are to be allocated that no counts have asked for, and reports whether
// all of them together are few enough for a file of this size.
func (l *loader) take(n uint64) bool {
	if most := 64<<20 + 64*l.header.size; l.taken > most || n > most-l.taken {
		return false
	}
	l.taken += n
	return true
}

// match notes where the values of a file's kind go.
func (l *loader) match(i int, c layout.Count) error {
	k, spec := &l.header.kinds[i], c.Kind.Spec()
	if err := l.matchEvents(k, l.rows[i], c); err != nil {
		return err
	}
	if k.Mark != spec.Mark || k.Values != (spec.Values != nil) {
		return l.turnKind(i, c)
	}
	if k.Packed != (c.Packed && !spec.Mark) {
		return wrap(ErrSchema, "%s is packed in one of the file and the counts; set Packed as "+
			"it was", layout.Quoted(k.Name))
	}
	l.kinds[i] = c.Kind
	set := make([]bool, len(spec.Fields))
	lost := len(l.lost)
	for j := range k.Fields {
		to, err := l.matchField(i, j, spec)
		if err != nil {
			return err
		}
		l.columns[i] = append(l.columns[i], to)
		switch {
		case to.to == nil:
			continue
		case set[to.to.Index]:
			return wrap(ErrMigration, "%s: two of the file's fields become %s; drop a migration",
				k.title(k.Fields[j].Name), layout.Quoted(to.to.Name))
		case to.migration != nil:
			l.report.Migrated = append(l.report.Migrated, to.migration.String())
		}
		if !to.asIs() || !slices.Equal(to.to.Default, k.Fields[j].Default) {
			l.reset(c.Kind)
		}
		set[to.to.Index] = true
	}
	var fresh []*layout.FieldSpec
	for j, f := range spec.Fields {
		switch {
		case set[j]:
		case isReader(&l.counts, c.Kind.String(), f.Name):
			l.report.New = append(l.report.New, k.reader(f.Name))
		default:
			fresh = append(fresh, f)
			l.reportNew(i, f, nil)
		}
	}
	l.suggest(lost, k, fresh)
	return nil
}

// matchField finds where field j of kind i goes, and tells what of it the other side lacks.
func (l *loader) matchField(i, j int, spec *layout.KindSpec) (column, error) {
	k := &l.header.kinds[i]
	to, err := l.columnOf(k, &k.Fields[j], spec)
	if err != nil {
		return to, err
	}
	if len(to.fresh) > 0 {
		l.reportNew(i, to.to, to.fresh)
	}
	l.lose(i, j, &to)
	return to, nil
}

// reportNew tells which parts of a program's field, nil for all of it, are new.
func (l *loader) reportNew(i int, f *layout.FieldSpec, parts []string) {
	name := l.header.kinds[i].title(f.Name)
	if parts == nil {
		l.report.New = append(l.report.New, name)
	}
	for _, p := range parts {
		part := layout.Part{Name: p}
		l.report.New = append(l.report.New, part.Within(name))
	}
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
func (l *loader) findRecipes() (err error) {
	for i := range l.header.parts {
		p := &l.header.parts[i]
		if p.owner != ofObjects || p.name != "owners" {
			continue
		}
		n, _ := p.size()
		if !l.take(uint64(n)) {
			return wrap(ErrTooLarge, "%d bytes of owners", n)
		}
		l.owners = make([]byte, n)
		if err := l.readPart(p, l.owners); err != nil {
			return err
		}
	}
	l.recipes = l.recipesByName()
	for at := 0; at < len(l.owners); at += 2 {
		from := int(little.Uint16(l.owners[at:]))
		if from > len(l.recipes) {
			return wrap(ErrImpossible, "objects %d and later ones are of recipe %d, of %d", at*32,
				from, len(l.recipes))
		}
		if from != 0 && l.recipes[from-1] == 0 {
			l.recipes[from-1], err = l.keepRecipe(l.header.recipes[from-1])
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// recipesByName returns the number that each recipe of the file has in the world, by its name; 0:
// the program lacks it.
func (l *loader) recipesByName() []uint16 {
	numbers := map[string]uint16{}
	for n, r := range l.counts.Recipes {
		numbers[r.String()] = uint16(n + 1)
	}
	known := make([]uint16, len(l.header.recipes))
	for i, name := range l.header.recipes {
		known[i] = numbers[name]
	}
	return known
}

// keepRecipe gives a recipe that the program does not have a number in the world. Its place comes
// beyond those of foreign recipes that are there already.
func (l *loader) keepRecipe(name string) (uint16, error) {
	n := len(l.counts.Recipes)
	if n >= kinds.Most || !l.take(128+l.objects/256) {
		return 0, wrap(ErrTooLarge, "it has recipes that the program lacks, beside %d here", n)
	}
	l.counts.Recipes = append(l.counts.Recipes, systems.ForeignRecipe(n, name))
	return uint16(n + 1), nil
}

// findWatchers finds each of the file's watchers among the world's, by its name and rules. Several
// without a name that have equal rules are found in their order, if there are as many in the world.
func (l *loader) findWatchers() error {
	left := map[string][]int{} // of the world's
	for i, name := range tool.ShapeOf(l.state).Watchers {
		left[name] = append(left[name], i)
	}
	had := map[string]int{}
	for _, name := range l.header.watchers {
		had[name]++
	}
	for _, name := range l.header.watchers {
		if n := len(left[name]); n > 0 && n != had[name] {
			return wrap(ErrSchema, "%d watchers of %s have no name, and Counts.Watchers has %d of "+
				"them; give each a name by Watcher.Named", had[name], failure.Legible(name), n)
		}
	}
	for _, name := range l.header.watchers {
		to := -1
		if all := left[name]; len(all) > 0 {
			to, left[name] = all[0], all[1:]
		} else {
			l.report.Dropped = append(l.report.Dropped, "watcher of "+failure.Legible(name))
		}
		l.watchers = append(l.watchers, to)
	}
	for i, name := range tool.ShapeOf(l.state).Watchers {
		if !slices.Contains(l.watchers, i) {
			l.report.New = append(l.report.New, "watcher of "+name)
		}
	}
	return nil
}
