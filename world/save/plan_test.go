package save

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/tool"
)

// A harbour is a program of fields of type uint8, as a text: "boat speed paint; tree age". After
// the name of a kind it says that it is a mark "!", Go values "~", a resource "$" or events "*",
// packed "^", or that objects are spawned with it "+"; after that of a field that it is of another
// type of shapes. Readers of events follow the fields, ":ear"; a space within a name is "_".
type harbour struct {
	counts systems.Counts
	kinds  map[string]layout.AnyKind
	fields map[string]layout.Field[uint8]
}

type (
	shapeXY struct{ X, Y uint8 }
	shapeXZ struct{ X, Z uint8 }
	shapeXW struct {
		X, Z uint8
		Y    uint16
	}
)

// shapes are the types of fields by what follows their names.
var shapes = map[string]func(name string) layout.AnyField{
	"2":  func(name string) layout.AnyField { return layout.NewField[uint16](name) },
	"s":  func(name string) layout.AnyField { return layout.NewField[shapeXY](name) },
	"z":  func(name string) layout.AnyField { return layout.NewField[shapeXZ](name) },
	"9":  func(name string) layout.AnyField { return layout.NewField[shapeXW](name) },
	"&":  func(name string) layout.AnyField { return layout.NewListField[uint8](name) },
	"&2": func(name string) layout.AnyField { return layout.NewListField[uint16](name) },
	"&s": func(name string) layout.AnyField { return layout.NewListField[shapeXY](name) },
	"&z": func(name string) layout.AnyField { return layout.NewListField[shapeXZ](name) },
	"'":  func(name string) layout.AnyField { return layout.NewTextField(name) },
}

func newHarbour(text string) harbour {
	h := harbour{
		systems.Counts{GameObjects: 64}, map[string]layout.AnyKind{}, map[string]layout.Field[uint8]{},
	}
	for kind := range strings.SplitSeq(text, ";") {
		words := strings.Fields(kind)
		if len(words) == 0 {
			continue
		}
		name := strings.TrimRight(words[0], "!~$*^+")
		h.add(strings.ReplaceAll(name, "_", " "), words[0][len(name):], words[1:])
	}
	return h
}

// declare declares the fields of a kind.
func (h *harbour) declare(kind string, words []string) (fields []layout.AnyField) {
	for _, word := range words {
		name := strings.TrimRight(word, "2sz9&'")
		if shape := shapes[word[len(name):]]; shape != nil {
			fields = append(fields, shape(name))
			continue
		}
		f := layout.NewField[uint8](name)
		h.fields[kind+"."+name], fields = f, append(fields, f)
	}
	return fields
}

// add counts a kind of a sort.
func (h *harbour) add(name, sort string, words []string) {
	c, of := &h.counts, slices.IndexFunc(words, func(w string) bool { return w[0] == ':' })
	if of < 0 {
		of = len(words)
	}
	fields := h.declare(name, words[:of])
	switch sort {
	case "$":
		c.Resources = append(c.Resources, systems.NewResource(name, fields...))
	case "*":
		e, readers := systems.NewEvents(name, fields...), []systems.EventReader{}
		for _, reader := range words[of:] {
			readers = append(readers, e.NewReader(reader[1:]))
		}
		c.Events = append(c.Events, e.Count(4, readers...))
		h.kinds[name] = h.fields[name+"."+words[0]]
	case "!":
		h.count(layout.NewMark(name).Count(0))
	case "~":
		h.count(layout.NewValues(name, "").Count(8))
	case "^":
		h.count(layout.Count{Kind: layout.NewKind(name, fields...), Rows: 8, Packed: true})
	case "+":
		k := layout.NewKind(name, fields...)
		h.count(k.Count(64))
		c.Recipes = append(c.Recipes, systems.NewRecipe("recipe of "+name, k))
	default:
		h.count(layout.NewKind(name, fields...).Count(8))
	}
}

func (h *harbour) count(c layout.Count) {
	h.counts.Kinds, h.kinds[c.Kind.String()] = append(h.counts.Kinds, c), c.Kind
}

// shapeOf returns the shape that a world of counts has, but for its watchers.
func shapeOf(t *testing.T, c systems.Counts) *tool.Shape {
	t.Helper()
	objects, kinds, err := c.Room()
	require.NoError(t, err)
	return &tool.Shape{Objects: objects, InOrder: c.InOrder, Kinds: kinds, Recipes: c.Complete().Recipes}
}

// planned plans a file with the counts of a program, with a number of used rows of each kind, and a
// block of objects by each recipe.
func planned(
	t *testing.T, file systems.Counts, rows uint64, to destination, o Options,
) (*plan, error) {
	t.Helper()
	h := headerOf(shapeOf(t, file))
	h.findRoles()
	h.behaviour = 2
	u := used{objects: 64, live: 6, rows: make([]uint64, len(h.kinds))}
	for i := range h.kinds {
		if !h.kinds[i].Mark {
			u.rows[i] = min(rows, uint64(h.kinds[i].Rows))
		}
	}
	for i := range h.recipes {
		u.recipes = append(u.recipes, i)
	}
	to.asked, to.counts = to.counts.GameObjects, to.counts.Complete()
	p, err := h.plan(&u, to, &o)
	if err == nil {
		err = p.planWorld(shapeOf(t, p.placed))
	}
	return p, err
}

// moves returns migrations as a text has them: "boat.speed>ship.pace, boat>ship, tree>".
func (h *harbour) moves(text string) (all []Migration) {
	same := func(v uint8) uint8 { return v }
	for move := range strings.SplitSeq(text, ", ") {
		from, to, ok := strings.Cut(move, ">")
		switch field, isField := h.fields[to]; {
		case !ok:
		case to == "":
			all = append(all, Drop(from))
		case strings.HasPrefix(to, "16 "):
			all = append(all, Migrate(from, h.fields[to[3:]], func(v uint16) uint8 { return uint8(v) }))
		case isField:
			all = append(all, Migrate(from, field, same))
		case h.kinds[to] != nil:
			all = append(all, MigrateKind(from, h.kinds[to]))
		case strings.Contains(to, "."):
			_, to, _ := strings.Cut(to, ".")
			all = append(all, Migrate(from, layout.NewComponent[uint8](to), same))
		default:
			all = append(all, MigrateKind(from, layout.NewMark(to)))
		}
	}
	return all
}

// said returns what a report says, but for its counts: "new a, b; dropped c".
func (r *Report) said() string {
	var all []string
	for i, names := range [][]string{r.Kept, r.New, r.Dropped, r.Migrated, r.Unused} {
		if len(names) > 0 {
			title := []string{"kept", "new", "dropped", "migrated", "unused"}[i]
			all = append(all, title+" "+strings.Join(names, ", "))
		}
	}
	return strings.Join(all, "; ")
}

// A voyage is a file, a program and its migrations, and what is planned: what the report says, or
// why it is refused. With keep, Options.DropFields is set.
type voyage struct {
	file, program, moves string
	keep                 bool
	refused              error
	said                 string
}

func TestWhatBecomesOfKindsAndFields(t *testing.T) {
	for _, v := range slices.Concat(voyages, refusedVoyages) {
		t.Run(v.file+" as "+v.program+" by "+v.moves, func(t *testing.T) {
			file, to := newHarbour(v.file), newHarbour(v.program)
			o := Options{Migrations: to.moves(v.moves), DropFields: v.keep, Behaviour: 2}
			p, err := planned(t, file.counts, 2, destination{counts: to.counts}, o)
			if v.refused != nil {
				require.ErrorIs(t, err, v.refused)
				require.EqualError(t, err, "save: "+v.refused.Error()+": "+v.said)
				return
			}
			require.NoError(t, err)
			require.Equal(t, v.said, p.report.said())
			again, err := planned(t, p.into.counts, 2, destination{counts: p.into.counts}, o)
			require.NoError(t, err, "a second time")
			require.Len(t, again.report.Unused, len(o.Migrations))
			again.report.Unused = nil
			require.Empty(t, again.report.said())
		})
	}
}

// TestErrorsOnCountsNameWhatWasCounted: each in the words of the program's Counts.
func TestErrorsOnCountsNameWhatWasCounted(t *testing.T) {
	h := newHarbour("drop+ n; pond n; splash* loud :ear")
	h.counts.Names, h.counts.Globals = 9, 9
	pond, thing := h.counts.Kinds[1].Kind, newHarbour("pond$ n").counts.Resources
	const (
		objects = "the file has 64 indexes of game objects, of which 6 are alive (those of a recipe come by blocks of 64), and "
		many    = ": Too many entities in existence. "
		used    = ": 5 rows are in use or reserved for recipes in the file, and there is room for "
		full    = ": Too many components in existence. Raise "
	)
	for text, refuse := range map[string]func(to *destination){
		objects + "the largest of Counts.Kinds, drop, has room for 20" + many + "Set Counts.GameObjects to 64 at least": func(to *destination) {
			to.counts.GameObjects, to.counts.Kinds = 0, layout.Kinds(h.counts.Kinds[0].Kind.Count(20), pond.Count(7))
			to.counts.Names, to.counts.Globals = 0, 0
		},
		objects + "Counts.GameObjects has room for 30" + many + "Raise Counts.GameObjects to 64 at least": func(to *destination) {
			to.counts.GameObjects = 30
		},
		objects + "the spare world has room for 32" + many + "Make one with Counts.GameObjects raised to 64 at least": func(to *destination) {
			to.counts.GameObjects, to.spare = 32, true
		},
		"pond" + used + "3" + full + "its Count in Counts.Kinds to 5 at least": func(to *destination) { to.counts.Kinds[1].Rows = 3 },
		"name" + used + "3" + full + "Counts.Names to 5 at least":              func(to *destination) { to.counts.Names = 3 },
		"global" + used + "2" + full + "Counts.Globals to 5 at least":          func(to *destination) { to.counts.Globals = 2 },
		ErrSchema.Error() + ": pond has 5 rows in the file, and is a resource in the program, with one; give one of them another name": func(to *destination) {
			to.counts.Kinds, to.counts.Resources = to.counts.Kinds[:1], thing
		},
		ErrSchema.Error() + ": Counts.InOrder was false; set it so": func(to *destination) { to.counts.InOrder = true },
		ErrSchema.Error() + ": the spare world has not all of its kinds and recipes; Load it": func(to *destination) {
			to.counts.Kinds, to.spare = to.counts.Kinds[:1], true
		},
	} {
		to := destination{counts: h.counts.Clone()}
		refuse(&to)
		_, err := planned(t, h.counts, 5, to, Options{})
		require.EqualError(t, err, "save: "+text)
	}
}

func TestBehaviourOfTheFutureIsRefused(t *testing.T) {
	c := newHarbour("boat speed").counts
	for behaviour, want := range map[uint32]error{0: nil, 1: ErrNewer, 2: nil, 3: nil} {
		p, err := planned(t, c, 1, destination{counts: c}, Options{Behaviour: behaviour})
		require.ErrorIs(t, err, want, "%d", behaviour)
		if err == nil {
			require.Equal(t, uint32(2), p.report.Behaviour)
		}
	}
}

// TestWatchersAreFoundByTheirRules: those without a name in their order, if there are as many.
func TestWatchersAreFoundByTheirRules(t *testing.T) {
	for _, test := range []struct {
		file, world string
		want        []int
		said        string
	}{
		{"a b", "b a", []int{1, 0}, ""},
		{"a a", "a b a", []int{0, 2}, "new watcher of b"},
		{"a b b", "a", []int{0, -1, -1}, "dropped watcher of b, watcher of b"},
		{"a a", "a", nil, "2 watchers of a have no name, and Counts.Watchers has 1 of them; give each a name by Watcher.Named"},
		{"a", "a a", nil, "1 watchers of a have no name, and Counts.Watchers has 2 of them; give each a name by Watcher.Named"},
	} {
		p := plan{header: &header{watchers: strings.Fields(test.file)}}
		if err := p.findWatchers(strings.Fields(test.world)); err != nil {
			require.EqualError(t, err, "save: "+ErrSchema.Error()+": "+test.said)
			continue
		}
		require.Equal(t, test.want, p.watchers)
		require.Equal(t, test.said, p.report.said())
	}
}

var voyages = []voyage{
	{"boat speed paint", "boat speed paint", "", false, nil, ""},
	{"boat speed paint", "boat paint speed crew; tree age", "", false, nil, "new boat.crew, tree"},
	{"boat speed; tree age; wet!; note~", "boat speed", "", false, nil, "kept tree, wet, note"},
	{
		"boat size2; crate size2; wet!; note~", "ship crew; box size2; soaked!; word~", "boat>ship, crate>box, wet>soaked, note>word, boat.size>16 ship.crew, barrel>box", false, nil,
		"migrated boat → ship, boat.size → ship.crew, crate → box, wet → soaked, note → word; unused barrel → box",
	},
	{"boat speed paint", "boat pace paint", "boat.speed>boat.pace", false, nil, "migrated boat.speed → boat.pace"},
	{"boat speed paint; tree age", "boat speed", "boat.paint>, tree>, rock>", false, nil, "dropped boat.paint, tree; unused rock → nothing"},
	{"boat speed paint; tree age", "boat pace", "", true, nil, "kept tree; new boat.pace; dropped boat.speed, boat.paint"},
	{"boat sizes", "boat sizez", "boat.size.Y>", false, nil, "new boat.size.Z; dropped boat.size.Y"},
	{"boat sizez", "boat size9", "", false, nil, "new boat.size.Y"},
	{"boat sizes", "boat sizez", "", true, nil, "new boat.size.Z; dropped boat.size.Y"},
	{"boat size", "boat size2", "", true, nil, "new boat.size; dropped boat.size"},
	{"boat!", "boat speed", "", false, nil, "new boat.speed"},
	{"boat!", "boat~", "", false, nil, ""},
	{"boat speed", "boat!", "", true, nil, "dropped boat.speed"},
	{"boat~", "boat speed", "", true, nil, "new boat.speed; dropped boat"},
	{"hit* n :ear; sea$ depth; boat+ speed", "", "", false, nil, "kept boat, sea, hit, readers of hit"},
	{"hit* n :ear", "hit* n :ear; sea$ depth", "", false, nil, "new sea"},
	{"bell* n :stays :goes", "gong* n :stays :comes", "bell>gong", false, nil, "new reader comes of bell; dropped reader goes of bell; migrated bell → gong"},
	{"hit* n :ear; boat speed", "boat speed", "hit>", false, nil, "dropped hit, readers of hit"},
	{"boat speed paint", "ship pace paint", "boat>ship, boat.speed>ship.pace", false, nil, "migrated boat → ship, boat.speed → ship.pace"},
	{
		"ship pace paint", "ship pace paint", "boat>ship, boat.speed>ship.pace, boat.crew>", false, nil,
		"unused boat → ship, boat.speed → ship.pace, boat.crew → nothing",
	},
	{"ship pace; boat speed", "ship pace; boat speed", "boat>ship, boat.speed>ship.pace", false, nil, "unused boat → ship, boat.speed → ship.pace"},
	{
		"tree age", "tree age; ship pace", "boat>ship, boat.speed>ship.pace, boat.paint>, boat>", false, nil,
		"new ship; unused boat → ship, boat.speed → ship.pace, boat.paint → nothing, boat → nothing",
	},
	{"boat pace", "boat tempo", "boat.speed>boat.tempo, boat.pace>boat.tempo", false, nil, "migrated boat.pace → boat.tempo; unused boat.speed → boat.tempo"},
	{"tree age; mod n", "tree age", "boat>tree, crate>", false, nil, "kept mod; unused boat → tree, crate → nothing"},
	{"boat speed paint", "tree age", "boat>, boat.speed>", false, nil, "new tree; dropped boat; unused boat.speed → nothing"},
	{"boat speed", "ship pace", "boat>, boat.speed>ship.pace", false, nil, "new ship; dropped boat; unused boat.speed → ship.pace"},
	{"boat pace spee", "boat pace", "boat.speed>boat.pace", true, nil, "dropped boat.spee; unused boat.speed → boat.pace"},
	{"boat load&s", "boat load&s", "", false, nil, ""},
	{"boat load&s", "", "", false, nil, "kept boat, free runs of boat.load, elements of boat.load"},
	{"boat load&s", "boat load&z", "boat.load.Y>", false, nil, "new boat.load.Z; dropped boat.load.Y"},
	{"boat load&s crew", "boat crew", "boat.load>", false, nil, "dropped boat.load, free runs of boat.load, elements of boat.load"},
	{"hit seen; readers_of_hit n", "hit seen; readers_of_hit n", "", false, nil, ""},
}

// What refusals end in.
const (
	misspelt = ", which the program lacks: correct the name, or leave out the migration"
	behind   = ", and its values would stay behind; add MigrateKind if the file has no ship, or Drop(\"boat\")"
	leaveOut = "; add it to Counts, or leave out the migration"
	rename   = " in the program; give one of them another name"
)

var refusedVoyages = []voyage{
	{"boat speed", "tree age", "coal>", false, ErrMigration, `coal → nothing: the file has no coal; it has boat` + misspelt},
	{"boat load&", "boat load", "", false, ErrSchema, `boat.load is a list in the file and not in the program; declare it, or Drop("boat.load")`},
	{"boat load", "boat load&", "", false, ErrSchema, `boat.load is a list in the program and not in the file; give it another name, or Drop("boat.load")`},
	{
		"boat load&", "boat cargo&", "", false, ErrSchema,
		`boat.load is a list, and is called boat.cargo in the program; lists keep their names: give it the old one, or Drop("boat.load")`,
	},
	{"boat load&", "boat load'", "", false, ErrSchema, `boat.load is a text in one of the file and the program; give it another name, or Drop("boat.load")`},
	{
		"boat load&", "boat load&2", "", false, ErrMigration,
		`the elements of boat.load are uint8 × 1 in the file and uint16 × 1 in the program; give the list another name, or Drop("boat.load")`,
	},
	{
		"boat load&s", "boat load&z", "", false, ErrMigration,
		`boat.load.Y, X uint8 × 1, Y uint8 × 1, is in the file and not in the program; new there, the nearest first: Z; ` +
			`add Migrate("boat.load", …) or Drop("boat.load.Y") to Options.Migrations`,
	},
	{
		"boat sizes", "boat size9", "", false, ErrMigration,
		`boat.size.Y is uint8 × 1 in the file and uint16 × 1 in the program; add Migrate("boat.size", …) to Options.Migrations`,
	},
	{
		"boat sizes", "boat size", "", false, ErrMigration,
		`boat.size is X uint8 × 1, Y uint8 × 1 in the file and uint8 × 1 in the program; add Migrate("boat.size", …) to Options.Migrations`,
	},
	{
		"boat speed paint", "boat pace paint", "boat.sped>boat.pace", false, ErrMigration,
		`boat.sped → boat.pace: the file has no boat.sped; it has boat.speed` + misspelt,
	},
	{
		"boat speed paint", "boat pace paint", "boat.sped>boat.pace", true, ErrMigration,
		`boat.sped → boat.pace: the file has no boat.sped; it has boat.speed` + misspelt,
	},
	{
		"boat speed paint", "boat pace paint", "baot.speed>boat.pace", true, ErrMigration,
		`baot.speed → boat.pace: the file has no baot.speed; it has boat.speed` + misspelt,
	},
	{"boat speed paint", "boat speed", "boat.pant>", false, ErrMigration, `boat.pant → nothing: the file has no boat.pant; it has boat.paint` + misspelt},
	{"boat speed paint", "boat speed", "boat.pant>", true, ErrMigration, `boat.pant → nothing: the file has no boat.pant; it has boat.paint` + misspelt},
	{"boat speed paint", "ship speed paint", "boats>ship", false, ErrMigration, `boats → ship: the file has no boats; it has boat` + misspelt},
	{"boat speed paint", "tree age", "baot>", false, ErrMigration, `baot → nothing: the file has no baot; it has boat` + misspelt},
	{"boat speed paint", "ship pace paint", "boat.speed>ship.pace", false, ErrMigration, `boat.speed → ship.pace: the file's boat does not become ship` + behind},
	{
		"boat speed paint", "boat paint; ship pace", "boat.speed>, boat.paint>ship.pace", false, ErrMigration,
		`boat.paint → ship.pace: the file's boat does not become ship` + behind,
	},
	{"boat speed; ship speed", "ship speed", "boat>ship", false, ErrMigration, `boat → ship: the file's boat does not become ship` + behind},
	{
		"boat weight colour", "boat width depth wieght height", "", false, ErrMigration,
		`boat.weight, uint8 × 1, is in the file and not in the program; new there, the nearest first: boat.wieght, boat.height, boat.width; add ` +
			`Migrate("boat.weight", …) or Drop("boat.weight") to Options.Migrations; the same goes for boat.colour`,
	},
	{
		"boat sizes", "boat sizez", "", false, ErrMigration,
		`boat.size.Y, uint8 × 1, is in the file and not in the program; new there, the nearest first: Z; add Migrate("boat.size", …) or ` +
			`Drop("boat.size.Y") to Options.Migrations`,
	},
	{
		"boat size", "boat size2", "", false, ErrMigration,
		`boat.size is uint8 × 1 in the file and uint16 × 1 in the program; add Migrate("boat.size", …) to Options.Migrations`,
	},
	{
		"wide a b c d e f g h i j k l", "wide m", "", false, ErrMigration,
		`wide.a, uint8 × 1, is in the file and not in the program; new there, the nearest first: wide.m; add Migrate("wide.a", …) or ` +
			`Drop("wide.a") to Options.Migrations; the same goes for wide.b, wide.c, wide.d, wide.e, wide.f, wide.g, wide.h, wide.i, and 3 more`,
	},
	{"wide a b", "wide m", "wide.a>wide.m, wide.b>wide.m", false, ErrMigration, `wide.b: two of the file's fields become m; drop a migration`},
	{"wide a", "wide m", "wide.a>16 wide.m", false, ErrMigration, `wide.a → wide.m takes uint16 × 1, and the file has uint8 × 1; use a whole file that Save wrote`},
	{"size size", "size size", "size.size>volume.volume", false, ErrMigration, `size.size → volume.volume: the counts have no such kind volume` + leaveOut},
	{"size size", "size size", "size>barrel", false, ErrMigration, `size → barrel: the counts have no such kind barrel` + leaveOut},
	{"boat speed", "boat!", "", false, ErrSchema, `boat is a kind of fields in the file and a mark` + rename},
	{"boat speed", "boat~", "", false, ErrSchema, `boat is a kind of fields in the file and a kind of Go values` + rename},
	{"boat~", "boat!", "", false, ErrSchema, `boat is a kind of Go values in the file and a mark` + rename},
	{"boat speed", "boat^ speed", "", false, ErrSchema, `boat is packed in one of the file and the counts; set Packed as it was`},
	{"hit n", "hit* n :ear", "", true, ErrSchema, `hit is a kind of fields in the file and events` + rename},
	{"hit!", "hit* n :ear", "", true, ErrSchema, `hit is a mark in the file and events` + rename},
	{"hit~", "hit* n :ear", "", true, ErrSchema, `hit is a kind of Go values in the file and events` + rename},
	{"hit$ n", "hit* n :ear", "", true, ErrSchema, `hit is a kind of fields in the file and events` + rename},
	{"hit* n :ear", "hit n", "", true, ErrSchema, `hit is events in the file and a kind of fields` + rename},
	{"hit* n :ear", "hit!", "", true, ErrSchema, `hit is events in the file and a mark` + rename},
	{"hit* n :ear", "hit~", "", true, ErrSchema, `hit is events in the file and a kind of Go values` + rename},
	{"hit* n :ear", "hit$ n", "", true, ErrSchema, `hit is events in the file and a resource` + rename},
	{"hit!; readers_of_hit sent oldest", "hit* n :ear", "", true, ErrSchema, `hit is a mark in the file and events` + rename},
	{"readers_of_hit sent oldest", "hit* n :ear", "", true, ErrImpossible, `readers of hit has 2 rows, not one; use a whole file that Save wrote`},
	{"boat+ speed", "boat$ speed", "", false, ErrSchema, `boat has its rows by objects in the file, and not` + rename},
}

// Twice as many kinds, lists and watchers take about twice as many allocations to read: none is
// compared with every other.
func TestReadingGrowsWithTheFile(t *testing.T) {
	allocs := func(n int) float64 {
		c := systems.Counts{GameObjects: 64}
		for i := range n {
			name := fmt.Sprint("kind ", i)
			k := layout.NewKind(name, layout.NewField[uint8]("a"), layout.NewTextField("b"))
			c.Kinds = append(c.Kinds, k.Count(1))
			w := systems.NewWatcher(systems.NewQuery(systems.With(k)))
			c.Watchers = append(c.Watchers, w.Named(name))
		}
		s, err := systems.CreateState(c)
		require.NoError(t, err)
		defer systems.Close(s)
		var b bytes.Buffer
		require.NoError(t, Write(&b, s, Options{}))
		return testing.AllocsPerRun(1, func() {
			back, r, err := Read(bytes.NewReader(b.Bytes()), int64(b.Len()),
				systems.Counts{GameObjects: 64}, Options{})
			require.NoError(t, err)
			require.Len(t, r.Kept, 3*n)
			systems.Close(back)
		})
	}
	require.Less(t, allocs(300), 2.5*allocs(150))
}
