package peers

import "slices"

// makers make the worlds of contenders: libraries, each used in one way or several.
var makers = map[string]func(Room) World{
	"flatecs":                newFlat(flatWay{}),
	"flatecs loop":           newFlat(flatWay{loop: true}),
	"flatecs row-wise":       newFlat(flatWay{byRow: true}),
	"flatecs as README":      newFlat(flatWay{room: true, loop: true}),
	"flatecs batch":          newFlat(flatWay{batch: true}),
	"Ark":                    newArk(arkWay{}),
	"Ark tables":             newArk(arkWay{tables: true}),
	"Ark tables, registered": newArk(arkWay{tables: true, cached: true}),
	"Ark batch":              newArk(arkWay{batch: true}),
	"Donburi":                newBowl,
	"Volt":                   newBattery,
	"uot":                    newUot,

	"kernel alone":       newColumns,
	"slices":             newShelf,
	"slices of pointers": newPointers,
	"empty heap":         newNothing,
}

// New makes the world of a contender.
func New(who string, room Room) World { return makers[who](room) }

// Plain are the contenders that are no libraries: they do not know who is alive.
var Plain = []string{
	"kernel alone", "slices", "slices of pointers", "empty heap", "maps",
	"act 1", "act 2", "structs",
}

// Singles are the libraries, each used in its ordinary way.
var Singles = []string{"flatecs", "Ark", "Donburi", "Volt", "uot"}

// Who takes part in what.
var (
	singles  = With(Singles, "flatecs as README")
	looked   = With(singles, "flatecs batch", "slices")
	batches  = With(singles, "flatecs batch", "Ark batch")
	walkers  = With(singles, "flatecs loop", "Ark tables", "Ark tables, registered")
	withBare = With(walkers, "kernel alone", "slices")
)

// With returns names and some more.
func With(names []string, more ...string) []string { return slices.Concat(names, more) }
