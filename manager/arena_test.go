package manager

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/x448/float16"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/layout"
)

// outside names what of an arena, a manager or a registry is no view of the world's bytes.
var outside = map[string]bool{
	"Bytes": true, "Parts": true, "Objects": true, "Managers": true, "Watchers": true, "found": true, "sizes": true,
	"Kind": true, "Values": true, "Base": true, "value": true, "memory": true, "recipes": true,
}

// beside are the types of what a view points to that is no view of the world's bytes.
var beside = []reflect.Type{
	reflect.TypeFor[Rows](), reflect.TypeFor[Stamps](), reflect.TypeFor[buffer.Column](), reflect.TypeFor[Arena](),
	reflect.TypeFor[layout.KindSpec](), reflect.TypeFor[gameobject.Registry](),
}

// A view is a slice or pointer into the world, by its name.
type view struct {
	name string
	at   uintptr
	size int // bytes
}

// viewsOf lists every slice and pointer of a struct, and of the structs in it.
func viewsOf(name string, v reflect.Value) (all []view) {
	for i := range v.NumField() {
		field, f := v.Type().Field(i).Name, v.Field(i)
		if outside[field] {
			continue
		}
		switch field = name + "." + field; f.Kind() {
		case reflect.Struct:
			if f.Type() == reflect.TypeFor[partList]() {
				continue
			}
			all = append(all, viewsOf(field, f)...)
		case reflect.Pointer:
			switch {
			case f.IsNil() || slices.Contains(beside, f.Type().Elem()): // marks have no rows
				continue
			case slices.Contains([]reflect.Type{reflect.TypeFor[Keys](), reflect.TypeFor[pages]()}, f.Type().Elem()):
				all = append(all, viewsOf(field, f.Elem())...)
				continue
			}
			all = append(all, view{field, f.Pointer(), int(f.Type().Elem().Size())})
		case reflect.Slice:
			all = append(all, sliceViews(field, f)...)
		default:
		}
	}
	return all
}

// worldViews lists the views of a whole world.
func worldViews(a *Arena) []view {
	all := viewsOf("world", reflect.ValueOf(a).Elem())
	all = append(all, viewsOf("objects", reflect.ValueOf(a.Objects).Elem())...)
	for i := range a.Managers {
		m := &a.Managers[i]
		all = append(all, viewsOf(m.Kind.Name, reflect.ValueOf(m).Elem())...)
	}
	for i := range a.Watchers {
		all = append(all, viewsOf(fmt.Sprint("watcher ", i), reflect.ValueOf(&a.Watchers[i]).Elem())...)
	}
	return slices.DeleteFunc(all, func(v view) bool { return v.size == 0 }) // empty views have no place
}

func sliceViews(name string, s reflect.Value) (all []view) {
	switch s.Type().Elem() {
	case reflect.TypeFor[Place](), reflect.TypeFor[*Place](), reflect.TypeFor[[]uint64](),
		reflect.TypeFor[recipe]():
		return nil // addresses of views
	case reflect.TypeFor[buffer.Column]():
	default:
		return []view{{name, s.Pointer(), s.Len() * int(s.Type().Elem().Size())}}
	}
	for i := range s.Len() {
		all = append(all, viewsOf(fmt.Sprint(name, i), s.Index(i))...)
	}
	return all
}

// kindsOfAllSorts returns counts of kinds with fields of several types, without fields, without
// rows, of values, and enough marks for two words per block.
func kindsOfAllSorts() []layout.Count {
	counts := []layout.Count{
		positionKind.Count(1000), Velocity.Kind().Count(70), MaxVelocity.Kind().Count(1), Instance.Count(1000),
		layout.NewKind("mixed", layout.NewField[[3]float32]("a"), layout.NewField[uint8]("b", 7),
			layout.NewField[uint16]("c"), layout.NewField("d", float16.Fromfloat32(1)),
			layout.NewField[float64]("e", 2)).Count(333),
		layout.NewKind("empty", layout.NewField[[5]uint64]("f")).Count(0),
		layout.NewValues("name", "nobody").Count(9),
	}
	for i := range 70 {
		counts = append(counts, layout.NewMark(fmt.Sprint("mark", i)).Count(0))
	}
	return counts
}

// TestPartsAreWhereTheViewsAre: everything lies in one allocation, aligned, part after part.
func TestPartsAreWhereTheViewsAre(t *testing.T) {
	for _, objects := range []int{0, 1, 64, 65, 4097} {
		for _, pools := range []int{0, 3} {
			a := sure(NewArena(Sizes{
				Objects: objects, Pools: pools, Kinds: kindsOfAllSorts(), Watchers: []string{"a", "b"},
			}))
			views := worldViews(a)
			assert.Greater(t, len(views), min(objects, 1)*70*3)
			start := reflect.ValueOf(a.Bytes).Pointer()
			assert.Zero(t, start%buffer.Align)
			assert.Equal(t, len(a.Bytes), cap(a.Bytes))
			size, end := map[uintptr]int{}, 0
			for _, p := range a.Parts() {
				if len(p.Bytes) > 0 {
					at := reflect.ValueOf(p.Bytes).Pointer()
					assert.Equal(t, start+uintptr(end), at, "%s of %s", p.Name, p.Owner)
					size[at] = len(p.Bytes)
				}
				end += (len(p.Bytes) + buffer.Align - 1) / buffer.Align * buffer.Align
			}
			assert.Len(t, a.Bytes, end)
			for _, v := range views {
				if shared(v.name) {
					assert.True(t, v.at >= start && v.at+uintptr(v.size) <= start+uintptr(len(a.Bytes)), v.name)
					continue
				}
				assert.Equal(t, size[v.at], v.size, "%s, %d objects", v.name, objects)
				delete(size, v.at) // no part is of two
			}
			c := buffer.Carver{Bytes: a.Bytes}
			carve(a, &c)
			assert.Equal(t, end, c.Size, "all of it is cut")
		}
	}
}

// TestLikeNeedsEverySize: worlds are alike if all their sizes are.
func TestLikeNeedsEverySize(t *testing.T) {
	kinds := []layout.Count{positionKind.Count(10)}
	of := func(s Sizes) *Arena { return sure(NewArena(s)) }
	same := Sizes{Objects: 10, Pools: 1, Kinds: kinds, Watchers: []string{"a"}}
	a := of(same)
	require.True(t, a.Like(a) && a.Like(of(same)))
	for _, change := range []func(s *Sizes){
		func(s *Sizes) { s.Objects = 11 }, func(s *Sizes) { s.Pools = 2 }, func(s *Sizes) { s.InOrder = true },
		func(s *Sizes) { s.Kinds = []layout.Count{positionKind.Count(11)} },
		func(s *Sizes) { s.Watchers = []string{"b"} },
	} {
		other := same
		change(&other)
		require.False(t, a.Like(of(other)) || of(other).Like(a), "%+v", other)
	}
}

// TestAdoptNeedsRoomForEveryRow: a world takes over one that fills it, and none with a row more.
func TestAdoptNeedsRoomForEveryRow(t *testing.T) {
	of := func(rows int) *Arena {
		return sure(NewArena(Sizes{Objects: 10, Kinds: []layout.Count{positionKind.Count(rows)}}))
	}
	from := of(10)
	for range 10 {
		_ = sure(from.Managers[0].Add(sure(from.Objects.Create(0)).Index()))
	}
	none := func(*layout.KindSpec) bool { return false }
	require.NoError(t, of(10).Adopt(from, nil, none))
	require.ErrorIs(t, of(9).Adopt(from, nil, none), ErrFull)
}

func TestSurveyStopsAtMaxSize(t *testing.T) {
	s := newSurvey(MaxRows, 0)
	for range 100_000 { // 2⁴⁶ bytes each: they would overflow
		s.add(&Part{Unit: layout.MaxStride, per: perObject}, partOwner{})
	}
	require.Equal(t, int64(buffer.MaxSize+1), s.size)
}

// shared reports whether a view is one of several of the same bytes.
func shared(name string) bool {
	_, field, _ := strings.Cut(name, ".")
	twice := []string{"Data.bytes", "Stamps.tick", "Rows.count", "Stamps.count"}
	return strings.HasPrefix(field, "Blocks.kinds.") || slices.Contains(twice, field) ||
		strings.HasPrefix(field, "registry.")
}

func TestFindAndKinds(t *testing.T) {
	counts := kindsOfAllSorts()
	a := sure(NewArena(Sizes{Objects: 200, Kinds: counts}))
	for i, n := range counts {
		require.Same(t, &a.Managers[i], a.Find(n.Kind.Spec()))
		require.Same(t, n.Kind.Spec(), a.Managers[i].Kind)
	}
	assert.Nil(t, a.Find(layout.NewKind("other").Spec()), "declared after this world")
	assert.Equal(t, 2, a.Words)

	last := len(counts) - 1
	_ = sure(a.Managers[last].Add(130))
	_ = sure(a.Managers[0].Add(131))
	for block, want := range [][]uint64{{0, 0}, {0, 0}, {1, 1 << (last - 64)}, {0, 0}} {
		assert.Equal(t, want, a.Kinds(uint32(block)), "block %d", block)
	}
	require.NoError(t, a.Managers[last].Remove(130))
	assert.Equal(t, []uint64{1, 0}, a.Kinds(2))
}
