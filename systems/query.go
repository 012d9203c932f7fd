package systems

import (
	"fmt"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
	"github.com/flatecs/flatecs/systems/internal/kind"
	"github.com/flatecs/flatecs/systems/internal/query"
)

// A Query selects the objects of a system, and names the fields that it reads and writes. It works
// in every world: a world plans the query on first use, or at creation if [Counts] lists it. Equal
// queries share one declaration, so a query may be created where it is used. A query panics on
// first use if it requires a kind that the world does not have, or if its terms contradict each
// other; [CreateState] returns an error for such a query in [Counts]. [Without], [Any], [Optional],
// [Changed] and NoTarget may name kinds that the world does not have.
type Query struct{ spec *query.Spec }

// A Term is one rule of a query.
type Term struct{ term *query.Term }

// Read asks for fields, or all fields of kinds, that the system reads. Objects must have the kinds.
//
//go:noinline
func Read(what ...layout.Access) Term { return Term{query.TermOfFields(query.Read, what)} }

// Write asks for fields, or all fields of kinds, that the system reads and writes. Objects must
// have the kinds.
//
//go:noinline
func Write(what ...layout.Access) Term { return Term{query.TermOfFields(query.Write, what)} }

// Optional asks for fields, or all fields of kinds, that the system reads if they exist. Batches
// are split, so that all objects of a batch have the column, or none does and it is nil.
func Optional(what ...layout.Access) Term {
	return Term{query.TermOfFields(query.Optional, what)}
}

// With requires all of kinds (allOf), without asking for their fields.
//
//go:noinline
func With(kinds ...layout.AnyKind) Term { return Term{query.TermOfKinds(query.With, kinds)} }

// Without excludes objects that have any of kinds (excludeOf).
func Without(kinds ...layout.AnyKind) Term { return Term{query.TermOfKinds(query.Without, kinds)} }

// Any requires at least one of kinds (anyOf). With no kinds, no object matches.
func Any(kinds ...layout.AnyKind) Term { return Term{query.TermOfKinds(query.Any, kinds)} }

// Only requires all of kinds and no other kind or mark (onlyOf).
func Only(kinds ...layout.AnyKind) Term { return Term{query.TermOfKinds(query.Only, kinds)} }

// Changed requires, in a walk by [Query.Since], that a component of at least one of kinds may have
// been written after the tick. Changes are recorded per 64 rows: Changed may include neighbours of
// a written row, and never misses a written row. A later walk with the same tick misses writes that
// follow this walk in this tick: call [Advance] in between, or use stage.Seen, which calls it.
func Changed(kinds ...layout.AnyKind) Term { return Term{query.TermOfKinds(query.Changed, kinds)} }

// HasTarget requires that objects have a target in each of relations, such as a parent. It panics
// if one of the fields is not the reference of a relation. Watchers do not support it.
func HasTarget(relations ...layout.Field[GameObject]) Term {
	return Term{query.TermOfKinds(query.HasTarget, kindsOf(relations))}
}

// NoTarget requires that objects have no target in any of relations, like the roots of a tree.
// Objects without the kind match too; add With(seat) to match only objects that have the kind and
// no target, as after the policy Clear. It panics if one of the fields is not the reference of a
// relation. Watchers do not support it.
func NoTarget(relations ...layout.Field[GameObject]) Term {
	return Term{query.TermOfKinds(query.NoTarget, kindsOf(relations))}
}

// kindsOf returns the kinds of relations. It panics if one of the fields is not a relation.
func kindsOf(relations []layout.Field[GameObject]) []layout.AnyKind {
	kinds := make([]layout.AnyKind, len(relations))
	for i, r := range relations {
		if kinds[i] = r; r.Spec().Relation == nil {
			panicNoRelation(r.Spec())
		}
	}
	return kinds
}

//go:noinline
func panicNoRelation(f *layout.FieldSpec) {
	panic("flatecs: " + f.String() + " is no relation; declare one by layout.NewRelation")
}

// RowWise says that the system treats each row on its own and accepts any bytes in it. A batch may
// then contain a few rows that do not match; writes to these rows are undone. The batch has no ids.
func RowWise() Term { return Term{&query.Term{Mode: query.RowWise}} }

// NewQuery returns the query of terms. An object matches if every term holds.
func NewQuery(terms ...Term) Query {
	var few [8]query.Term
	return Query{query.Declare(rulesOf(few[:0], terms))}
}

// And returns the query with the terms of q and more.
func (q Query) And(terms ...Term) Query {
	return Query{query.Declare(rulesOf(slices.Clone(q.declared().Terms), terms))}
}

// rulesOf appends the rules of terms.
func rulesOf(dst []query.Term, terms []Term) []query.Term {
	for i := range terms {
		dst = append(dst, terms[i].asked())
	}
	return dst
}

// declared returns the declaration of q. It panics if q is the zero Query.
func (q Query) declared() *query.Spec {
	if q.spec == nil {
		panic("flatecs: the zero Query asks for nothing; declare one by NewQuery")
	}
	return q.spec
}

// String returns the terms of q as Go code, with fields as kind.field.
func (q Query) String() string {
	if q.spec == nil {
		return "the zero Query"
	}
	return q.spec.String()
}

// String returns t as Go code, with fields as kind.field.
func (t Term) String() string { return t.asked().String() }

// asked returns the rule of t. The zero Term asks for no field.
func (t Term) asked() query.Term {
	if t.term == nil {
		return query.Term{}
	}
	return *t.term
}

// A Watcher reports which objects started and stopped matching a query since its last look. Declare
// it once, as a package-level variable, and give it to worlds in [Counts]. Its memory is in the
// world's bytes, and is copied and restored with them. Two systems that watch the same objects need
// a watcher each, with a name: see [Watcher.Named].
type Watcher struct{ spec *watcherSpec }

type watcherSpec struct {
	number  uint32 // process-wide, dense; never in a world's bytes
	name    string // "": none
	query   Query
	last    *lasting // nil: keeps no values
	foreign bool     // its rules are unknown; its name is its description
}

var watchers atomic.Uint32 // next watcherSpec.number

// NewWatcher declares a watcher of the objects that match q. Fields and the terms [Optional],
// [Changed] and [RowWise] make no difference. See [Watcher.Keep] for last values.
func NewWatcher(q Query) Watcher {
	return Watcher{&watcherSpec{number: watchers.Add(1) - 1, query: q}}
}

// Named returns a watcher like w that has a name. Files, deltas and other worlds find a watcher by
// its rules and its name, if any, wherever Counts.Watchers lists it. Only the order of declaration
// distinguishes unnamed watchers of equal rules: [Resized] and package world/save refuse worlds
// with another number of them.
//
//	var heard = world.NewWatcher(loud).Named("music")
//
// It panics if the name is empty.
func (w Watcher) Named(name string) Watcher {
	q := w.Query()
	if name == "" {
		panic("flatecs: Named without a name; give one that no other watcher of the world has")
	}
	return Watcher{&watcherSpec{
		number: watchers.Add(1) - 1, name: name, query: q, last: w.spec.last,
	}}
}

// ForeignWatcher returns a watcher for a world of another program, with the description that the
// program gives it. It cannot look, since its rules are unknown.
func ForeignWatcher(called string) Watcher {
	return Watcher{&watcherSpec{
		number: watchers.Add(1) - 1, name: called, query: NewQuery(), foreign: true,
	}}
}

// before reports whether w comes before v in a world: by names and queries, which are the same in
// all programs, then in the order of declaration.
func (w Watcher) before(v Watcher) bool {
	if x, y := w.text(), v.text(); x != y {
		return x < y
	}
	return w.spec.number < v.spec.number
}

// text returns the name and the query of w.
func (w Watcher) text() string {
	if w.Query(); w.spec.foreign {
		return ""
	}
	return w.spec.name + ": " + w.spec.query.String()
}

// called returns the description of w in a world with these kinds: its rules and its name.
func (w Watcher) called(kinds numbering) (string, error) {
	if w.spec.foreign {
		return w.spec.name, nil
	}
	rules, err := query.RulesOf(kinds, w.spec.query.spec)
	text := rules.Text(kinds.name)
	if w.spec.name != "" {
		text += "; named " + strconv.Quote(w.spec.name)
	}
	return text, err
}

// Query returns the query of w. The query matches current objects; w reports the objects of its
// last look.
func (w Watcher) Query() Query {
	if w.spec == nil {
		panic("flatecs: the zero Watcher watches nothing; declare one by NewWatcher")
	}
	return w.spec.query
}

// A lasting lists the values that a watcher keeps, and the kinds that store them.
type lasting struct {
	fields []*layout.FieldSpec
	values []*layout.KindSpec

	sync.Mutex
	made map[string]*manager.Keep // by the description of the watcher in a world
}

// Keep returns a watcher of the same query that also keeps the last values of objects that leave:
// of fields, of all fields of kinds, and of [layout.Values]. [LastOf] returns them, from the look
// that reports the object as left until the next one. They are the values when the object first
// stopped matching since the previous look: when it lost a component, got an excluded one, or was
// disposed.
//
//	var quiet = world.NewWatcher(world.NewQuery(world.With(Sound))).Keep(Sound)
//
// The values are part of the world's bytes; layout.Values are stored outside. Each object
// that left takes the bytes of its values and about 16 more, twice; the kind with the fewest rows
// limits their number.
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
		panic("flatecs: Keep without values; pass fields, kinds or layout.Values")
	}
	return Watcher{&watcherSpec{
		number: watchers.Add(1) - 1, name: w.spec.name, query: q, last: k,
	}}
}

// add adds a field of a kind, or all of its fields.
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
			panic("flatecs: a watcher keeps no lists: " + f.String() + "; keep another " +
				"field, such as a count")
		}
		if !slices.Contains(k.fields, f) {
			k.fields = append(k.fields, f)
		}
	}
	if kind.Values != nil && !slices.Contains(k.values, kind) {
		k.values = append(k.values, kind)
	}
}

// called returns the kinds of a watcher by its description, the same ones each time.
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
