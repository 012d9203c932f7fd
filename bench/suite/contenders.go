package suite

// A Contender is a library used in one way.
type Contender struct {
	Name string
	Peer string // the library, for --peers; Ours for this one
	New  func(Room) World
}

// Two of the peers' names that are no peers.
const (
	Ours   = "flatecs" // this library
	Slices = "slices"  // a program without any
)

// Contenders are all ways in which libraries are used, in the order of columns.
func Contenders() []Contender {
	return []Contender{
		{"flatecs", Ours, newFlat(flatWay{})},
		{"flatecs loop", Ours, newFlat(flatWay{loop: true})},
		{"flatecs piecewise", Ours, newFlat(flatWay{piecewise: true})},
		{"flatecs batch", Ours, newFlat(flatWay{batch: true})},
		{"Ark", "ark", newArk(arkWay{})},
		{"Ark tables", "ark", newArk(arkWay{tables: true})},
		{"Ark batch", "ark", newArk(arkWay{batch: true})},
		{"Donburi", "donburi", newBowl},
		{"Volt", "volt", newBattery},
		{"uot", "uot", newUot},
		{"slices", Slices, newShelf},
	}
}

// Who takes part in what.
var (
	singles  = []string{"flatecs", "flatecs piecewise", "Ark", "Donburi", "Volt", "uot"}
	batches  = append(append([]string{}, singles...), "flatecs batch", "Ark batch")
	walkers  = append(append([]string{}, singles...), "flatecs loop", "Ark tables")
	withBare = append(append([]string{}, walkers...), "slices")
)
