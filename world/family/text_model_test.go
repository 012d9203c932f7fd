package family_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/list"
)

// someTree returns a random tree whose members from first on have names.
func someTree(r *rand.Rand, names *int, depth int) family.Tree {
	tree := family.Tree{Name: fmt.Sprint("n", *names)}
	*names++
	switch r.IntN(4) {
	case 0:
		tree.Recipe = sport
		tree.Values = append(tree.Values, local.Value(vec2{r.Float32(), -r.Float32() * 1e-9}))
	case 1:
		tree.Recipe = gun
	case 3:
		tree.Recipe = runner
	case 2:
		tree.Kinds = []layout.AnyKind{family.ChildOf.Kind()}
	}
	if r.IntN(2) == 0 {
		tree.Kinds = append(tree.Kinds, geared.Kind(), burnt)
		tree.Values = append(tree.Values, geared.Value(gear{
			Owner: family.Member(0), Mass: float32(r.NormFloat64()), Grade: int8(r.IntN(256) - 128),
			Slots: [2]world.GameObject{0, family.Member(*names - 1)}, Ready: r.IntN(2) == 0,
		}))
	}
	if r.IntN(3) == 0 {
		tree.Kinds = append(tree.Kinds, wheel, large.Kind())
		tree.Values = append(tree.Values, spin.Value(r.NormFloat64()*1e200),
			teeth.Value(r.Uint32()), large.Value([40]int16{3: int16(r.IntN(1 << 16))}))
	}
	if r.IntN(3) == 0 {
		tree.Kinds = append(tree.Kinds, crew.Kind())
		all := make([]gear, r.IntN(4)*r.IntN(4))
		for i := range all {
			all[i] = gear{Owner: family.Member(r.IntN(*names)), Mass: float32(r.NormFloat64())}
		}
		tree.Values = append(tree.Values, crew.Value(all...))
	}
	if tree.Recipe == runner && r.IntN(2) == 0 {
		tree.Values = append(tree.Values, path.Value(make([][2]int16, r.IntN(40))...),
			motto.Value(fmt.Sprintf("%q #%*s", "\n", r.IntN(90), "ü")), steps.Value(r.Uint32()))
	}
	for range r.IntN(4) * min(depth, 1) {
		tree.Children = append(tree.Children, someTree(r, names, depth-1))
	}
	return tree
}

// TestTreesReadBack: random trees are read as they were written, and spawn the same world, at once
// or recorded.
func TestTreesReadBack(t *testing.T) {
	worldtest.OneGoroutine(t)
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n := 0
		want := someTree(r, &n, 4)
		got := parsed(t, written(t, want))
		require.Equal(t, []family.Tree{want}, got)
		var worlds [3]world.State
		for i := range worlds {
			worlds[i] = world.Must(world.CreateState(textCounts(500)))
		}
		var err [3]error
		worlds[0], _, err[0] = family.Spawn(worlds[0], want)
		worlds[1], _, err[1] = family.Spawn(worlds[1], got[0])
		world.Record(worlds[2]).SpawnTree(family.ChildOf, got[0])
		worlds[2], err[2] = world.Apply(worlds[2])
		require.NoError(t, errors.Join(err[:]...))
		require.Equal(t, world.Digest(worlds[0]), world.Digest(worlds[1]))
		require.Equal(t, n, world.Len(worlds[2]))
		for _, s := range worlds {
			require.NoError(t, tool.Verify(s))
		}
		for id := range world.GameObjects(worlds[0]) {
			same(t, worlds[0], worlds[2], id)
		}
		for _, s := range worlds {
			world.Close(s)
		}
	}
}

// same checks that an object has the same in two worlds.
func same(t *testing.T, a, b world.State, id world.GameObject) {
	t.Helper()
	get := func(s world.State) (all []any) {
		for _, f := range []layout.Field[world.GameObject]{family.ChildOf, aim} {
			v, err := world.Get(s, id, f)
			all = append(all, v, err == nil)
		}
		members, _ := list.Of(s, id, crew)
		way, _ := list.Of(s, id, path)
		words, _ := list.Text(s, id, motto)
		all = append(all, slices.Clone(members), slices.Clone(way), words)
		v, err := world.Get(s, id, geared)
		n, _ := world.Get(s, id, teeth)
		l, _ := world.Get(s, id, large)
		return append(all, v, err == nil, n, l, world.Has(s, id, burnt))
	}
	require.Equal(t, get(a), get(b))
}

func FuzzParseTrees(f *testing.F) {
	f.Add(barrel + "tank: hull\n\tleft: like barrel\n\t\tmuzzle:\n\t\t\tlocal {X:7}\n")
	f.Add("t: + geared + seat\n\tgeared {Owner:t Slots:[nobody t] Wear:[1 2]}\n\t- + wheel\n")
	f.Add("t: runner + crew\n\terrand.motto \"a\"\n\terrand.path [[1 2] [3 4]]\n\t- like t\n")
	f.Add("\"a \\\" # b\": + large # c\n")
	f.Fuzz(func(t *testing.T, text string) {
		trees, err := family.ParseTrees(text, textCounts(10))
		if err != nil {
			var where *family.TextError
			require.ErrorAs(t, err, &where)
			require.Positive(t, where.Line)
			require.Positive(t, where.Column)
			return
		}
		again := written(t, trees...)
		require.Equal(t, again, written(t, parsed(t, again)...))
		s := world.Must(world.CreateState(textCounts(50)))
		defer func() { world.Close(s) }()
		for i := range trees {
			if s, _, err = family.Spawn(s, trees[i]); err != nil {
				require.ErrorIs(t, err, world.ErrTooMany)
			}
		}
	})
}
