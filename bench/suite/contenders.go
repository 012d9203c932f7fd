package suite

import "slices"

// A Contender is a library used in one way.
type Contender struct {
	Name  string
	Peer  string           // the library
	New   func(Room) World // components are two float64
	New32 func(Room) World // three float32 and one; nil if there is no such world
}

// Those of the peers' names that are no peers.
const (
	Ours   = "flatecs" // this library
	Slices = "slices"  // a program without any
	C      = "c"       // a program in C, which is no Contender of this package
)

// Contenders are all ways in which libraries are used, in the order of columns.
func Contenders() []Contender {
	ours := func(name string, way flatWay) Contender {
		return Contender{name, Ours, newFlat(doubles, way), newFlat(singles32, way)}
	}
	theirs := func(name string, way arkWay) Contender {
		return Contender{name, "ark", newArk(way), newArk32(way)}
	}
	return []Contender{
		ours("flatecs", flatWay{}),
		ours("flatecs loop", flatWay{loop: true}),
		ours("flatecs row-wise", flatWay{rowWise: true}),
		ours("flatecs no recipe", flatWay{noRecipe: true}),
		ours("flatecs free room", flatWay{room: true}),
		ours("flatecs batch", flatWay{batch: true}),
		{"kernel alone", Slices, newColumns64, newColumns32},
		theirs("Ark", arkWay{}),
		theirs("Ark tables", arkWay{tables: true}),
		theirs("Ark tables, registered", arkWay{tables: true, cached: true}),
		theirs("Ark batch", arkWay{batch: true}),
		{"Donburi", "donburi", newBowl, nil},
		{"Volt", "volt", newBattery, nil},
		{"uot", "uot", newUot, nil},
		{"slices", Slices, newShelf, newShelf32},
		{"maps", Slices, nil, nil},
		{"slices of pointers", Slices, newPointers, nil},
		{"empty heap", Slices, newNothing, nil},
		{"Clone", Ours, nil, nil},
		{"copy of Bytes", Ours, nil, nil},
		{"copy", Slices, nil, nil},
		{"kernel", Ours, nil, nil},
		{"Go loop", Slices, nil, nil},
		{"C -O3", C, nil, nil},
		{"C AVX2", C, nil, nil},
	}
}

// Who takes part in what.
var (
	peers    = []string{"Ark", "Donburi", "Volt", "uot"}
	singles  = with(peers, "flatecs")
	looked   = with(singles, "flatecs batch")
	changers = with(singles, "flatecs no recipe", "flatecs free room")
	batches  = with(changers, "flatecs batch", "Ark batch")
	walkers  = with(singles, "flatecs loop", "flatecs no recipe", "Ark tables",
		"Ark tables, registered")
	withBare = with(walkers, "flatecs free room", "kernel alone", "slices")
	in32     = []string{
		"flatecs", "flatecs loop", "flatecs no recipe", "Ark", "Ark tables",
		"Ark tables, registered",
	}
)

func with(names []string, more ...string) []string { return slices.Concat(names, more) }

func without(names []string, not ...string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return slices.Contains(not, name)
	})
}
