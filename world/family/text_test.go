package family_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/list"
)

type gear struct {
	Owner world.GameObject
	Slots [2]world.GameObject
	Mass  float32
	Ready bool
	Grade int8
	Wear  [2]uint8
}

var (
	geared = layout.NewComponent("geared", gear{Mass: 2})
	teeth  = layout.NewField[uint32]("teeth", 8)
	spin   = layout.NewField[float64]("spin")
	wheel  = layout.NewKind("wheel", teeth, spin)
	burnt  = layout.NewMark("burnt")
	seat   = layout.NewRelation("seat", layout.Relation{Tree: true})
	odd    = layout.NewComponent[float32]("odd: # \"name\"")
	large  = layout.NewComponent[[40]int16]("large")
	crew   = layout.NewList[gear]("crew")
	path   = layout.NewListField[[2]int16]("path")
	motto  = layout.NewTextField("motto")
	errand = layout.NewKind("errand", steps, path, motto)
	steps  = layout.NewField[uint32]("steps")
	runner = world.NewRecipe("runner", family.ChildOf, errand).With(
		path.Value([2]int16{1, 2}, [2]int16{3, -4}), motto.Value("run"))
	sport = hull.With(local.Value(vec2{X: 5, Y: 6}))
)

// textCounts are the counts of worlds for texts.
func textCounts(objects int) world.Counts {
	c := counts(objects)
	c.Recipes[0] = sport
	c.Recipes = append(c.Recipes, runner)
	c.Kinds = layout.Kinds(family.ChildOf, local, global, aim, geared, wheel, burnt, seat, odd,
		large, crew, errand)
	return c
}

func parsed(t *testing.T, text string) []family.Tree {
	t.Helper()
	return world.Must(family.ParseTrees(text, textCounts(10)))
}

func written(t *testing.T, trees ...family.Tree) string {
	t.Helper()
	return string(world.Must(family.AppendTrees(nil, trees...)))
}

func TestTreesInText(t *testing.T) {
	trees := parsed(t, "# a tank\r\n\r\n"+
		"tank: hull + burnt + geared # first\n"+
		"  local {Y:1}\n"+
		"  geared {Slots:[tank \"left gun\"] Wear:[1 255] Grade:-3 Ready:true}\n"+
		"  \"left gun\": gun + wheel\n"+
		"      aim tank\n"+
		"      wheel.teeth 12\n"+
		"  - + \"odd: # \\\"name\\\"\"\n"+
		"      \"odd: # \\\"name\\\"\" 1.5\n")
	want := []family.Tree{{
		Name: "tank", Recipe: sport, Kinds: []layout.AnyKind{burnt, geared.Kind()},
		Values: []layout.FieldValue{
			local.Value(vec2{X: 5, Y: 1}),
			geared.Value(gear{
				Slots: [2]world.GameObject{family.Member(0), family.Member(1)},
				Mass:  2, Ready: true, Grade: -3, Wear: [2]uint8{1, 255},
			}),
		},
		Children: []family.Tree{
			{
				Name: "left gun", Recipe: gun, Kinds: []layout.AnyKind{wheel},
				Values: []layout.FieldValue{aim.Value(family.Member(0)), teeth.Value(12)},
			},
			{
				Kinds:  []layout.AnyKind{odd.Kind(), family.ChildOf.Kind()},
				Values: []layout.FieldValue{odd.Value(1.5)},
			},
		},
	}}
	assert.Equal(t, want, trees)
	assert.Equal(t, want, parsed(t, written(t, trees...)))
}

const barrel = `barrel: gun
	muzzle: + local
		local {X:1 Y:2}
	aim muzzle
`

func TestTreesLikeOthers(t *testing.T) {
	trees := parsed(t, barrel+`
tank: hull
	left: like barrel + burnt
		aim right.muzzle
		muzzle:
			local {X:7}
	right: like barrel
	- like barrel

two:
	first: like tank
		left.muzzle:
			local {Y:9}
`)
	require.Len(t, trees, 3)
	text := written(t, trees[1:]...)
	assert.Equal(t, `tank: hull
	left: gun + burnt
		aim right.muzzle
		left.muzzle: + local + childOf
			local {X:7 Y:2}
	right: gun
		aim right.muzzle
		right.muzzle: + local + childOf
			local {X:1 Y:2}
	- gun
		aim member6
		member6: + local + childOf
			local {X:1 Y:2}

two:
	first: hull
		first.left: gun + burnt
			aim first.right.muzzle
			first.left.muzzle: + local + childOf
				local {X:7 Y:9}
		first.right: gun
			aim first.right.muzzle
			first.right.muzzle: + local + childOf
				local {X:1 Y:2}
		- gun
			aim member7
			member7: + local + childOf
				local {X:1 Y:2}
`, text)
	assert.Equal(t, text, written(t, parsed(t, text)...))
	assert.Equal(t, parsed(t, barrel)[0], trees[0], "it is as it was")
}

func TestWrongTexts(t *testing.T) {
	requireWrong(t, map[string]string{
		"tank":                                              "1:1: no name and recipe",
		"local {X:1}":                                       "1:1: no name and recipe",
		"tank: hul":                                         `1:7: no recipe "hul"`,
		"tank: local":                                       "1:7: is a kind; write + local",
		"tank: hull\nt: tank":                               "2:4: is a tree; write like tank",
		"tank: like hull":                                   "1:12: no tree",
		"t: hull + hull":                                    `1:11: no kind "hull"`,
		"t: hull +":                                         `1:10: no kind ""`,
		"t: hull burnt":                                     `1:9: "burnt" follows`,
		"t: :":                                              "1:4: no name of a recipe",
		"t: hull + local":                                   "1:11: has local already",
		"t: hull + burnt + burnt":                           "1:19: has burnt already",
		" tank: hull":                                       "1:1: is indented",
		"t: hull\n\tu: hull\n    v: hull":                   "3:1: other tabs and spaces than line 2",
		"t: hull\n  local {X:1}\n   u: hull":                "3:1: otherwise than those before it below line 1",
		"t: hull\n\tlocl {X:1}":                             `2:2: no field "locl"`,
		"t: hull\n\tteeth 3":                                `2:2: no field "teeth"`,
		"t: hull\n\taim nobody":                             "2:2: has no aim; add + aim to line 1",
		"t: hull\n\tlocal {X:1} {":                          `2:14: "{" comes after`,
		"t: hull\n\tlocal {Z:1}":                            `2:9: no part "Z"`,
		"t: hull\n\tlocal {X:1 X:2}":                        "2:13: local.X is given twice",
		"t: hull\n\tlocal {X}":                              "2:10: a colon is missing",
		"t: hull\n\tlocal {X:1":                             "2:12: a brace is open",
		"t: hull\n\tlocal {\"X:1}":                          "2:9: a quote is open",
		"t: hull\n\tlocal 3":                                "2:8: in braces",
		"t: hull\n\tlocal {X:é}":                            `2:11: "é" is no float32`,
		"t: hull\n\tlocal {X:NaN}":                          `2:11: "NaN" is no float32`,
		"t: hull\n\tlocal {X:1e99}":                         "2:11: no float32 that fits",
		"t: hull\n\tlocal":                                  "2:7: in braces",
		"t: hull\n\tlocal {X:1}\n\tlocal {}":                "3:2: local is given twice",
		"t: + large\n\tlarge [1 2]":                         "2:12: 2 of 40 numbers",
		"t: + large\n\tlarge 1":                             "2:8: 40 numbers are needed",
		"t: + geared\n\tgeared {Wear:[1 2 3]}":              "2:20: must close after 2",
		"t: + geared\n\tgeared {Wear:[1 256]}":              "2:18: no uint8",
		"t: + geared\n\tgeared {Ready:2}":                   "2:16: no bool",
		"t: + geared\n\tgeared {Owner:u}":                   `2:16: no object of this tree is called "u"`,
		"t: + wheel\n\twheel.teeth":                         "2:13: a value is missing; uint32 wants a number, without braces",
		"t: + wheel\n\twheel.spin {X:1}":                    "2:13: a value is missing; float64 wants a number",
		"t: + geared\n\tgeared {Ready:}":                    "2:16: bool wants true or false",
		"t: + geared\n\tgeared {Owner:{}}":                  "2:16: id wants the id or the name of an object",
		"t: hull\n\tu: hull\n\tv: like u":                   `3:10: "u" is in this tree; like takes a whole tree above`,
		"t: hull\n\tv: like t":                              `2:10: "t" is in this tree`,
		"t: hull\n\tu: gun\n\nv: gun\n\taim u":              `5:6: no object of this tree`,
		"t: hull\n\ta:":                                     `2:2: has no member "a"`,
		"t: hull\n\t- hull\n\t\ta:":                         `3:3: has no member "a"`,
		"t: hull\n\tchildOf nobody":                         "2:2: stands below",
		"t: hull\n\tt: hull":                                "2:2: another object of this tree, in line 1",
		"t: hull\nt: hull":                                  "2:1: is above, in line 1",
		"\"t: hull":                                         "1:1: a quote is open",
		"nobody: hull":                                      "1:1: called nobody",
		"t: hull + seat\n\tseat t":                          "2:7: no rings",
		"t: hull + seat\n\tseat u\n\tu: + seat\n\t\tseat t": "no rings",
	})
	_, err := family.ParseTrees("t: hull + seat\n\tseat t", textCounts(10))
	require.ErrorIs(t, err, family.ErrRing)
}

// requireWrong checks the errors of texts: line, column and a part of the message.
func requireWrong(t *testing.T, texts map[string]string) {
	t.Helper()
	for text, want := range texts {
		t.Run(text, func(t *testing.T) {
			trees, err := family.ParseTrees(text, textCounts(10))
			assert.Nil(t, trees)
			var where *family.TextError
			require.ErrorAs(t, err, &where)
			at, why, _ := strings.Cut(want, ": ")
			if why != "" {
				assert.Equal(t, at, fmt.Sprintf("%d:%d", where.Line, where.Column), err)
			} else {
				why = want
			}
			require.ErrorContains(t, err, why)
		})
	}
}

func TestTextsOfFewCounts(t *testing.T) {
	lone := world.NewRecipe("lone", local)
	_, err := family.ParseTrees("t: lone\n\tu: lone", world.Counts{
		Recipes: []world.Recipe{lone}, Kinds: layout.Kinds(local),
	})
	require.ErrorContains(t, err, "add it to Counts.Kinds")
	again := layout.NewComponent[uint8]("local")
	c := world.Counts{Recipes: []world.Recipe{lone, lone}, Kinds: layout.Kinds(local, again)}
	_, err = family.ParseTrees("t: lone", c)
	require.ErrorContains(t, err, `several recipes of counts are named "lone"`)
	_, err = family.ParseTrees("t: + local", c)
	require.ErrorContains(t, err, `several kinds of counts are named "local"`)
}

func TestTreesThatNoTextHolds(t *testing.T) {
	child := func(name string) family.Tree { return family.Tree{Name: name, Recipe: hull} }
	for want, tree := range map[string]family.Tree{
		"the name is taken":                       {Recipe: hull, Children: []family.Tree{child("a"), child("a")}},
		"member 0, \"nobody\": the name is taken": child("nobody"),
		"lacks childOf":                           {Recipe: hull, Children: []family.Tree{{Kinds: []layout.AnyKind{local}}}},
		"it has no aim":                           {Recipe: hull, Values: []layout.FieldValue{aim.Value(0)}},
		"leave out":                               {Recipe: hull, Values: []layout.FieldValue{family.ChildOf.Value(0)}},
		"7v2, an object of a world": {
			Recipe: gun, Values: []layout.FieldValue{aim.Value(2<<32 | 7)},
		},
		"NaN": {
			Recipe: hull, Values: []layout.FieldValue{local.Value(vec2{X: float32(math.NaN())})},
		},
	} {
		_, err := family.AppendTrees(nil, tree)
		require.ErrorContains(t, err, want)
	}
	_, err := family.AppendTrees(nil, child("a"), child("a"))
	require.ErrorContains(t, err, "two trees")
}

const (
	maxMembers = 1 << 16
	maxDepth   = 1000
)

func TestDeepTexts(t *testing.T) {
	var text strings.Builder
	for depth := range maxDepth + 1 {
		text.WriteString(strings.Repeat(" ", depth) + "- hull\n")
	}
	trees := parsed(t, text.String())
	assert.Equal(t, trees, parsed(t, written(t, trees...)))
	_, err := family.AppendTrees(nil, family.Tree{Recipe: hull, Children: trees})
	require.ErrorContains(t, err, "divide the tree")
	text.WriteString(strings.Repeat(" ", maxDepth+1) + "- hull\n")
	_, err = family.ParseTrees(text.String(), textCounts(10))
	require.ErrorContains(t, err, "divide it")

	text.Reset()
	for depth := range 600 {
		text.WriteString(strings.Repeat(" ", depth) + fmt.Sprintf("n%d: hull\n", depth))
	}
	text.WriteString("long: like n0\n n599:\n  - like n0\n")
	_, err = family.ParseTrees(text.String(), textCounts(10))
	require.ErrorContains(t, err, "line 603, column 3: the tree is more than 1000 deep")
}

// TestTextsAskForLittle: a short text of many objects is refused before they are made.
func TestTextsAskForLittle(t *testing.T) {
	var before, after runtime.MemStats
	double := func(first string) string {
		text := first
		for i := range 40 {
			text += fmt.Sprintf("t%d:\n\t- like t%d\n\t- like t%d\n", i+1, i, i)
		}
		return text
	}
	var named strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&named, "\tu%d: hull\n", i)
	}
	for _, text := range []string{
		double("t0: hull\n"),
		double("t0: + large\n\tlarge [" + strings.Repeat("1 ", 40) + "]\n"),
		"t: hull" + strings.Repeat("\n\t- hull", maxMembers),
		"t: hull\n" + named.String() + "u:\n\t" + strings.Repeat("x", 1<<20) + ": like t",
	} {
		runtime.ReadMemStats(&before)
		_, err := family.ParseTrees(text, textCounts(10))
		runtime.ReadMemStats(&after)
		require.ErrorContains(t, err, "divide them")
		assert.Less(t, int(after.TotalAlloc-before.TotalAlloc)>>20, 256)
	}
}

const patrol = `patrol: runner
	errand.path [[5 6] [7 8] [9 10]]
	errand.motto "no # comment"
	scout: runner + crew
		errand.path []
		crew [{Owner:scout Slots:[patrol nobody] Mass:1 Ready:true Grade:0 Wear:[0 1]} ` +
	`{Owner:nobody Slots:[nobody nobody] Mass:2 Ready:false Grade:-1 Wear:[2 3]}]
`

// TestListsInText: a list is given as a whole, and is else that of the recipe; objects in it are
// called by their names.
func TestListsInText(t *testing.T) {
	trees := parsed(t, patrol+"\nmore: like patrol\n\terrand.motto \"\"\n\tscout:\n\t\tcrew []\n")
	assert.Equal(t, patrol, strings.ReplaceAll(written(t, trees[0]), " + childOf", ""))
	assert.Equal(t, trees, parsed(t, written(t, trees...)))
	for _, recorded := range []bool{false, true} {
		s := world.Must(world.CreateState(textCounts(20)))
		var err error
		for _, tree := range trees {
			if recorded {
				world.Record(s).SpawnTree(family.ChildOf, tree)
				s, err = world.Apply(s)
			} else {
				s, _, err = family.Spawn(s, tree)
			}
			require.NoError(t, err)
		}
		require.NoError(t, tool.Verify(s))
		var ids []world.GameObject
		for id := range world.GameObjects(s) {
			ids = append(ids, id)
		}
		assert.Equal(t, [][2]int16{{5, 6}, {7, 8}, {9, 10}}, world.Must(list.Of(s, ids[0], path)))
		assert.Equal(t, "no # comment", world.Must(list.Text(s, ids[0], motto)))
		assert.Empty(t, world.Must(list.Of(s, ids[1], path)))
		assert.Equal(t, "run", world.Must(list.Text(s, ids[1], motto)), "that of the recipe")
		members := world.Must(list.Of(s, ids[1], crew))
		require.Len(t, members, 2)
		assert.Equal(t, gear{
			Owner: ids[1], Slots: [2]world.GameObject{ids[0]}, Mass: 1, Ready: true,
			Wear: [2]uint8{0, 1},
		}, members[0])
		assert.Empty(t, world.Must(list.Text(s, ids[2], motto)))
		assert.Empty(t, world.Must(list.Of(s, ids[3], crew)))
		world.Close(s)
	}
}

func TestWrongTextsOfLists(t *testing.T) {
	requireWrong(t, map[string]string{
		"t: runner\n\terrand.path 3":            "2:14: errand.path is a list; write its elements in brackets",
		"t: runner\n\terrand.path [[1 2] [3]]":  "2:23: 1 of 2 numbers",
		"t: runner\n\terrand.path [[1 2] [3 4]": "2:26: a bracket is open",
		"t: runner\n\terrand.motto run":         "2:15: errand.motto is a text; write it in quotes",
		"t: runner\n\terrand.motto \"\\xff\"":   "2:15: the text is not UTF-8",
		"t: runner\n\terrand.motto \"a\" \"b\"": "2:19: comes after the value of errand.motto",
		"t: + crew\n\tcrew [{Owner:t}]":         "2:17: crew.Slots is left out; give all parts",
	})
}

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
