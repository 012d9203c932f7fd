package save_test

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/save"
)

// A harbour is the kinds of a program by name, each of fields of type uint8.
type harbour map[string][]string

func (f harbour) counts() (c world.Counts, fields map[string]layout.Field[uint8]) {
	fields = map[string]layout.Field[uint8]{}
	for name, list := range f {
		var all []layout.AnyField
		for _, field := range list {
			fields[name+"."+field] = layout.NewField[uint8](field)
			all = append(all, fields[name+"."+field])
		}
		c.Kinds = append(c.Kinds, layout.NewKind(name, all...).Count(8))
	}
	c.GameObjects = 64
	return c, fields
}

// A stray is a file, a program and its migrations, and what Read says of them.
type stray struct {
	file, program harbour
	moves         all
	keep          bool
	text          string // of the error, or nothing
}

type (
	fields = map[string]layout.Field[uint8]
	all    = []func(fields) save.Migration
)

func moveStray(from, to string) func(fields) save.Migration {
	same := func(v uint8) uint8 { return v }
	return func(f fields) save.Migration { return save.Migrate(from, f[to], same) }
}

func kindStray(from, to string) func(fields) save.Migration {
	return func(f fields) save.Migration { return save.MigrateKind(from, f[to]) }
}

func dropStray(from string) func(fields) save.Migration {
	return func(fields) save.Migration { return save.Drop(from) }
}

var strayBoat = harbour{"boat": {"speed", "paint"}}

// refusedStrays are those that are errors.
func refusedStrays() map[string]stray {
	return map[string]stray{
		"a field misspelt": {
			strayBoat,
			harbour{"boat": {"pace", "paint"}},
			all{moveStray("boat.sped", "boat.pace")},
			false,
			"boat.sped → boat.pace: the file has no boat.sped; it has boat.speed, which the program lacks",
		},
		"a field misspelt and kept": {
			strayBoat,
			harbour{"boat": {"pace", "paint"}},
			all{moveStray("boat.sped", "boat.pace")},
			true,
			"it has boat.speed, which the program lacks",
		},
		"a field of a kind misspelt": {
			strayBoat,
			harbour{"boat": {"pace", "paint"}},
			all{moveStray("baot.speed", "boat.pace")},
			true,
			"it has boat.speed, which the program lacks",
		},
		"a drop misspelt": {
			strayBoat,
			harbour{"boat": {"speed"}},
			all{dropStray("boat.pant")},
			false,
			"boat.pant → nothing: the file has no boat.pant; it has boat.paint, which the program lacks",
		},
		"a drop misspelt and kept": {strayBoat, harbour{"boat": {"speed"}}, all{dropStray("boat.pant")}, true, "it has boat.paint"},
		"a kind misspelt": {
			strayBoat,
			harbour{"ship": {"speed", "paint"}},
			all{kindStray("boats", "ship.speed")},
			false,
			"boats → ship: the file has no boats; it has boat, which the program lacks",
		},
		"a dropped kind misspelt": {strayBoat, harbour{"tree": {"age"}}, all{dropStray("baot")}, false, "it has boat, which"},
		"a kind stays behind": {
			strayBoat,
			harbour{"ship": {"pace", "paint"}},
			all{moveStray("boat.speed", "ship.pace")},
			false,
			"boat.speed → ship.pace: the file's boat does not become ship, and its values would stay behind; " +
				`add MigrateKind if the file has no ship, or Drop("boat")`,
		},
		"a kind that is known stays behind": {
			strayBoat,
			harbour{"boat": {"paint"}, "ship": {"pace"}},
			all{dropStray("boat.speed"), moveStray("boat.paint", "ship.pace")},
			false, "the file's boat does not become ship",
		},
		"a kind stays behind another": {
			harbour{"boat": {"speed"}, "ship": {"speed"}},
			harbour{"ship": {"speed"}},
			all{kindStray("boat", "ship.speed")},
			false, "boat → ship: the file's boat does not become ship, and its values",
		},
	}
}

// unusedStrays are those of other files.
func unusedStrays() map[string]stray {
	return map[string]stray{
		"renamed with its kind": {
			strayBoat,
			harbour{"ship": {"pace", "paint"}},
			all{kindStray("boat", "ship.pace"), moveStray("boat.speed", "ship.pace")},
			false, "",
		},
		"migrated before": {
			harbour{"ship": {"pace", "paint"}},
			harbour{"ship": {"pace", "paint"}},
			all{kindStray("boat", "ship.pace"), moveStray("boat.speed", "ship.pace"), dropStray("boat.crew")},
			false, "",
		},
		"migrated before, and the old name is back": {
			harbour{"ship": {"pace"}, "boat": {"speed"}},
			harbour{"ship": {"pace"}, "boat": {"speed"}},
			all{kindStray("boat", "ship.pace"), moveStray("boat.speed", "ship.pace")},
			false, "",
		},
		"older than the names": {
			harbour{"tree": {"age"}},
			harbour{"tree": {"age"}, "ship": {"pace"}},
			all{kindStray("boat", "ship.pace"), moveStray("boat.speed", "ship.pace"), dropStray("boat.paint"), dropStray("boat")},
			false, "",
		},
		"through names between": {
			harbour{"boat": {"pace"}},
			harbour{"boat": {"tempo"}},
			all{moveStray("boat.speed", "boat.tempo"), moveStray("boat.pace", "boat.tempo")},
			false, "",
		},
		"beside a kind that is kept": {
			harbour{"tree": {"age"}, "mod": {"n"}},
			harbour{"tree": {"age"}},
			all{kindStray("boat", "tree.age"), dropStray("crate")},
			false, "",
		},
		"dropped, and its fields": {strayBoat, harbour{"tree": {"age"}}, all{dropStray("boat"), dropStray("boat.speed")}, false, ""},
	}
}

// TestMigrationsThatMoveNothing: a migration that finds nothing is refused if its name is near one
// that the program lacks, or if its kind stays behind with values; others are unused, as those of
// files that are older than the name, or were migrated before.
func TestMigrationsThatMoveNothing(t *testing.T) {
	defer closeOpened()
	strays := refusedStrays()
	maps.Copy(strays, unusedStrays())
	for name, test := range strays {
		t.Run(name, func(t *testing.T) {
			c, _ := test.file.counts()
			s := world.Must(create(c))
			for _, k := range c.Kinds {
				s, _ = world.Must2(world.CreateWith(s, k.Kind))
			}
			c, byName := test.program.counts()
			o := save.Options{DropFields: test.keep}
			for _, m := range test.moves {
				o.Migrations = append(o.Migrations, m(byName))
			}
			s, _, err := read(saved(t, s, save.Options{}), c, o)
			if test.text != "" {
				require.ErrorIs(t, err, save.ErrMigration)
				require.ErrorContains(t, err, test.text)
				return
			}
			require.NoError(t, err)
			again, report, err := read(saved(t, s, save.Options{}), c, o)
			require.NoError(t, err, "a second time")
			require.Len(t, report.Unused, len(o.Migrations))
			require.Equal(t, saved(t, s, save.Options{}), saved(t, again, save.Options{}))
		})
	}
}
