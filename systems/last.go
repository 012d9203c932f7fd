package systems

import (
	"fmt"
	"slices"
	"sync"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/kind"
	"github.com/flatecs/flatecs/systems/internal/query"
)

// A lasting is what a watcher keeps, and the kinds in which it does.
type lasting struct {
	fields []*layout.FieldSpec
	values []*layout.KindSpec

	sync.Mutex
	made map[string]*manager.Keep // by what the watcher is called in a world
}

// Keep returns a watcher of the same query that also keeps the last values of objects that leave:
// of fields, of all fields of kinds, and of [layout.Values]. [LastOf] returns them, from the look
// that reports the object as left until the next one. They are the object's values when it stopped
// matching for the first time since the look before: when it lost a component, got an excluded one,
// or was disposed.
//
//	var quiet = world.NewWatcher(world.NewQuery(world.With(Sound))).Keep(Sound)
//
// The values are part of the world's bytes; those of layout.Values lie beside them. Each object
// that left takes the bytes of its values and about 16 more, twice; there is room for as many as
// the smallest of the kinds has rows.
//
// It panics if the query does not require the kinds: then an object could leave without values.
func (w Watcher) Keep(what ...layout.AnyKind) Watcher {
	q := w.Query()
	k := &lasting{made: map[string]*manager.Keep{}}
	if old := w.spec.last; old != nil {
		k.fields, k.values = slices.Clone(old.fields), slices.Clone(old.values)
	}
	for i, of := range kind.Append(nil, "Keep", what) {
		k.add(q, of.Spec(), what[i])
	}
	if len(k.fields)+len(k.values) == 0 {
		panic("flatecs: Keep of no values; give it fields, kinds or layout.Values")
	}
	return Watcher{&watcherSpec{number: watchers.Add(1) - 1, query: q, last: k}}
}

// add adds what, which is of a kind, or all of its fields.
func (k *lasting) add(q Query, kind *layout.KindSpec, what layout.AnyKind) {
	if !q.declared().Requires(kind) {
		panic(fmt.Sprintf("flatecs: a watcher keeps values of %s, and %s does not require it; "+
			"add With(%[1]s)", kind.Name, q))
	}
	fields := kind.Fields
	if f, ok := what.(layout.AnyField); ok {
		fields = []*layout.FieldSpec{f.Spec()}
	}
	for _, f := range fields {
		if f.List != nil {
			panic("flatecs: a watcher keeps no lists: " + f.String() + "; keep what tells of it, " +
				"such as a count, in a field beside it")
		}
		if !slices.Contains(k.fields, f) {
			k.fields = append(k.fields, f)
		}
	}
	if kind.Values != nil && !slices.Contains(k.values, kind) {
		k.values = append(k.values, kind)
	}
}

// LastOf returns the last value of an object that w's last look reported as left: of a field or a
// [layout.Values] kind that w keeps. The error wraps [ErrAbsent] if the look did not report it. It
// panics if w does not keep the field, or the world does not have w.
func LastOf[T any](s State, w Watcher, id GameObject, what layout.Typed[T]) (value T, err error) {
	x := s.look().watcher(w)
	row, ok := x.Last(id)
	switch f := what.(type) {
	case layout.Field[T]:
		if c := x.LastColumn(f.Spec()); c == nil {
			panic(notKept(f.Spec().String()))
		} else if ok {
			return *buffer.At[T](c.Base, row), nil
		}
	case layout.Values[T]:
		if c := x.LastValues(f.Kind().Spec()); c == nil {
			panic(notKept(f.Kind().String()))
		} else if ok {
			return c.(*layout.ValueSlice[T]).Rows[row], nil
		}
	default:
		panic(notKept("nothing"))
	}
	return value, fmt.Errorf("flatecs: game object %v is not among those whose last values "+
		"the last look reported; take the ids of Left: %w", id, ErrAbsent)
}

func notKept(what string) string {
	return "flatecs: LastOf of " + what + ", which this watcher does not keep; " +
		"declare it by Watcher.Keep"
}

// A numbering is the kinds of a world that is not made yet.
type numbering []layout.Count

// Slot returns the number of a kind, or -1.
func (n numbering) Slot(k *layout.KindSpec) int {
	return slices.IndexFunc(n, func(c layout.Count) bool { return c.Kind.Spec() == k })
}

// name returns the name of the kind of a number.
func (n numbering) name(i int) string { return n[i].Kind.String() }

// keeps returns what each of the watchers keeps, or nil, in a world with these kinds. Watchers are
// called by their rules, and by a number from the second of the same rules on.
func (c *Counts) keeps(kinds numbering) []*manager.Keep {
	list, before := make([]*manager.Keep, len(c.Watchers)), map[string]int{}
	for i, w := range c.Watchers {
		if w.spec == nil || w.spec.query.spec == nil {
			continue // refused later
		}
		rules, err := query.RulesOf(kinds, w.spec.query.spec)
		if err != nil {
			continue
		}
		text := rules.Text(kinds.name)
		n := before[text]
		if before[text]++; w.spec.last == nil {
			continue
		}
		if n > 0 {
			text = fmt.Sprintf("%d: %s", n, text)
		}
		list[i] = w.spec.last.called(text)
	}
	return list
}

// called returns the kinds of a watcher by what it is called, the same ones each time.
func (k *lasting) called(name string) *manager.Keep {
	k.Lock()
	defer k.Unlock()
	if k.made[name] == nil {
		k.made[name] = &manager.Keep{
			Fields: k.fields, Values: k.values,
			Gone: k.declare("gone: " + name), Left: k.declare("left: " + name),
		}
	}
	return k.made[name]
}

// declare declares the kinds of a list of objects that left.
func (k *lasting) declare(name string) []*layout.KindSpec {
	fields := []layout.AnyField{layout.NewField[GameObject]("object")}
	for _, f := range k.fields {
		fields = append(fields, f.Twin(f.Kind.Name+"."+f.Name))
	}
	kinds := []*layout.KindSpec{layout.NewKind(name, fields...).Spec()}
	for _, v := range k.values {
		kinds = append(kinds, v.Twin(name+": "+v.Name).Spec())
	}
	return kinds
}

// lasts returns the additional managers of c's watchers: room for as many objects as can leave. A
// kind without a count has free room.
func (c *Counts) lasts(kinds numbering) (list []layout.Count) {
	objects := c.objects()
	for _, k := range c.keeps(kinds) {
		if k == nil {
			continue
		}
		room := layout.Count{Rows: objects, Room: layout.Room{Free: true}}
		for _, of := range k.Kinds() {
			if n := kinds[kinds.Slot(of)]; !n.Free && (room.Free || n.Rows < room.Rows) {
				room = layout.Count{Rows: min(n.Rows, objects)}
			}
		}
		for _, kind := range slices.Concat(k.Gone, k.Left) {
			room.Kind = kind.Handle()
			list = append(list, room)
		}
	}
	return list
}
