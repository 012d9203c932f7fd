package tool_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
	"github.com/flatecs/flatecs/systems/heroes"
	"github.com/flatecs/flatecs/systems/tool"
)

var (
	described     = layout.NewField[uint32]("n", 7)
	describedKind = layout.NewKind("described", described)
	describedMark = layout.NewMark("described mark")
	described2    = layout.NewValues("described value", "none")
	describedOnes = systems.NewWatcher(systems.NewQuery(
		systems.With(describedKind), systems.Any(describedMark, heroes.Position),
		systems.Without(heroes.MaxVelocity)))
)

// scattered returns a world of n objects whose components came and went: of a thousand objects, so
// many stay with the kind, and so many with the mark.
func scattered(t *testing.T, seed uint64, n, rows, keep int) systems.State {
	t.Helper()
	s := systems.Must(systems.CreateState(systems.Counts{
		GameObjects: n, Kinds: layout.Kinds(
			describedKind.Count(rows), describedMark.Count(0), described2.Count(4),
			heroes.Position.Count(n),
		),
		Watchers: []systems.Watcher{describedOnes},
	}))
	random := rand.New(rand.NewPCG(seed, 2))
	ids := make([]systems.GameObject, n)
	for i := range ids {
		s, ids[i] = systems.Must2(systems.Create(s))
	}
	for range 3 {
		for _, i := range random.Perm(n) {
			if systems.Has(s, ids[i], describedKind) && random.IntN(1000) >= keep {
				s = systems.Must(systems.Remove(s, ids[i], describedKind))
			}
			if random.IntN(1000) < keep {
				s, _, _ = systems.Ensure(s, ids[i], describedKind) // it may be full
				s, _ = systems.Must2(systems.Ensure(s, ids[i], describedMark))
			}
		}
	}
	return s
}

// runs counts the runs of consecutive rows of those who have a kind, and of their indexes.
func runs(s systems.State, k layout.AnyKind) (rows, objects int) {
	lastRow, lastObject := systems.Row(0), uint32(0)
	for id := range systems.GameObjects(s) {
		if row, err := systems.RowOf(s, id, k); err == nil {
			if rows == 0 || row != lastRow+1 {
				rows++
			}
			if objects == 0 || id.Index() != lastObject+1 {
				objects++
			}
			lastRow, lastObject = row, id.Index()
		}
	}
	return rows, objects
}

func TestQualityTellsHowManyRunsThereAre(t *testing.T) {
	for _, c := range []struct {
		name          string
		n, rows, keep int
	}{
		{"none", 500, 500, 0},
		{"few", 500, 500, 20},
		{"half", 1000, 1000, 500},
		{"most", 5000, 6000, 950},
		{"most without slack", 5000, 4700, 950},
		{"nearly all", 10000, 10000, 998},
		{"all", 9000, 9000, 1000},
		{"too few rows", 1000, 100, 900},
	} {
		t.Run(c.name, func(t *testing.T) {
			for seed := range uint64(5) {
				s := scattered(t, seed, c.n, c.rows, c.keep)
				rows, _ := runs(s, describedKind)
				assert.Equal(t, rows, tool.QualityOf(s, describedKind).Runs)
				_, objects := runs(s, describedMark)
				assert.Equal(t, objects, tool.QualityOf(s, describedMark).Runs)
				systems.Close(s)
			}
		})
	}
}

func TestRowsTellWhatTheyAreUsedFor(t *testing.T) {
	s := scattered(t, 1, 10, 10, 0)
	s, on := systems.Must2(systems.Create(systems.Must(systems.Dispose(s, 1<<32|3))))
	s, mounted := systems.Must2(systems.Ensure(s, on, describedKind))
	s, loose := systems.Must2(systems.CreateComponent(s, describedKind))
	kept := systems.GameObject(1<<32 | 4)
	s, suspended := systems.Must2(systems.Ensure(s, kept, describedKind))
	s = systems.Must(systems.Suspend(s, kept, describedKind))
	s, gone := systems.Must2(systems.CreateComponent(s, describedKind))
	s = systems.DisposeComponent(s, describedKind, gone)

	for _, c := range []struct {
		name   string
		row    systems.Row
		use    tool.RowUse
		object systems.GameObject
	}{
		{"mounted", mounted, tool.RowMounted, on},
		{"loose", loose, tool.RowLoose, 0},
		{"suspended", suspended, tool.RowSuspended, kept},
		{"unused", gone, tool.RowUnused, 0},
		{"unused", 9, tool.RowUnused, 0},
		{"unused", 1 << 31, tool.RowUnused, 0},
	} {
		use, object := tool.RowUseOf(s, describedKind, c.row)
		assert.Equal(t, c.use, use, "row %d", c.row)
		assert.Equal(t, c.object, object, "row %d", c.row)
		assert.Equal(t, c.name, use.String())
	}

	use := tool.KindUses(s)[0]
	assert.Equal(t, describedKind, use.Kind)
	assert.Equal(t, [3]int{1, 1, 1}, [3]int{use.Mounted, use.Loose, use.Suspended})
	assert.Equal(t, 10, use.Cap)
	assert.Equal(t, 4, use.High)

	has := systems.Must(tool.ComponentsOf(s, kept))
	assert.Equal(t, []tool.ComponentUse{{describedKind, suspended, true}}, has)
	has = systems.Must(tool.ComponentsOf(s, on))
	assert.Equal(t, []tool.ComponentUse{{describedKind, mounted, false}}, has)
	_, err := tool.ComponentsOf(s, 1<<32|3)
	require.ErrorIs(t, err, systems.ErrDead)
}

func TestKindUsesAddUpToTheWorld(t *testing.T) {
	s := scattered(t, 1, 100, 100, 500)
	bytes, used := 0, 0
	for _, p := range tool.Parts(s) {
		if p.Kind != nil {
			bytes, used = bytes+len(p.Bytes), used+len(tool.Used(s, &p))
		}
	}
	for n, u := range tool.KindUses(s) {
		assert.Equal(t, n, u.Number)
		assert.Equal(t, tool.KindNames(s)[n], u.Kind.String())
		bytes, used = bytes-u.Bytes, used-u.Used
	}
	assert.Zero(t, bytes)
	assert.Zero(t, used)
	assert.Equal(t, 100, tool.Capacity(s))
}

func TestWatcherUsesTellRulesAndMembers(t *testing.T) {
	s := scattered(t, 1, 10, 10, 1000)
	s = describedOnes.Look(s)
	want := tool.WatcherUse{
		Rules: "all of described; any of described mark, position", Members: 10, Entered: 10,
	}
	assert.Equal(t, []tool.WatcherUse{want}, tool.WatcherUses(s))
	s = describedOnes.Look(systems.Must(systems.Remove(s, 1<<32|4, describedKind)))
	want.Members, want.Left, want.Entered = 9, 1, 0
	assert.Equal(t, []tool.WatcherUse{want}, tool.WatcherUses(s))
}

func TestValuesOfAnyTypeAreToldByRow(t *testing.T) {
	s := scattered(t, 1, 10, 10, 0)
	s, row := systems.Must2(systems.Ensure(s, 1<<32|4, described2))
	s = systems.Must(systems.SetValue(s, 1<<32|4, described2, "Bob"))
	assert.Equal(t, "Bob", tool.AnyValueOf(s, described2.Kind(), row))
	assert.Nil(t, tool.AnyValueOf(s, described2.Kind(), 4), "no such row")
	assert.Nil(t, tool.AnyValueOf(s, describedKind, 0), "no Go values")
	assert.Equal(t, "7", tool.Text(described.Spec(), described.Spec().Default))
	assert.Panics(t, func() { tool.QualityOf(s, layout.NewKind("another")) })
}
