package hunt_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world/hunt"
	"github.com/flatecs/flatecs/world/internal/worldtest"
)

// A plant is a bug of one of the two games that lie here; others are in the scenes flappy and tanks,
// in their tests. All were written down before the first of them was hunted.
type plant struct {
	bug      bug
	property string // what does not hold
	short    bool   // hunted with -short, too
}

var inTheFactory = []plant{
	{"copied", "value", true},                          // an item is in two places
	{"dropped", "value", false},                        // an item is put where no room is
	{"dead reference", "no dangling reference", false}, // an arm reaches for a box that is gone
	{"scrapped twice", "no error", true},               // a box is disposed of by two players
	{"overflow", "value", true},                        // a stack of more than 255 items
	{skipped, "no error", false},                       // a list gets shorter while it is walked
	{"map", "the same", true},                          // orders in the order of a map
	{"hidden", "the same", false},                      // a counter beside the world
}

var inTheCardGame = []plant{
	{"shuffled twice", "each card once", false},  // off by one at the end of a list
	{"given to nobody", "each card once", false}, // a card is taken before there is room
	{"not marked", "whose turn", false},          // who gives the last card is not out
	{"other random", "the same", false},          // random numbers beside the world's
	{"in debt", "points", true},                  // less than no points
	{"modulo", "no panic", true},                 // of a negative number
	{"one too many", "hands", false},             // off by one at the limit
	{"after the end", "whose turn", false},       // whose turn it is after one is out
}

// skipped is the bug that takes longest: its stack of plates takes hundreds of ticks to make, and a
// second to be made smaller is not enough for it.
const skipped bug = "skipped"

func TestBugsPlantedInTheFactory(t *testing.T)  { huntPlanted(t, factory, inTheFactory) }
func TestBugsPlantedInTheCardGame(t *testing.T) { huntPlanted(t, cardGame, inTheCardGame) }

// huntPlanted: each is found, and by few inputs.
func huntPlanted(t *testing.T, game func(bug) hunt.Game, planted []plant) {
	t.Helper()
	worldtest.OneGoroutine(t)
	for _, p := range planted {
		if !p.short && !worldtest.AtLength() {
			continue
		}
		t.Run(string(p.bug), func(t *testing.T) {
			o := hunt.Options{Seed: 1, Ticks: 3_000_000, Shrink: time.Minute}
			if p.bug == skipped {
				o.Shrink = time.Second / 2
			}
			f := hunted(t, game(p.bug), o).Failure
			require.NotNil(t, f)
			assert.True(t, strings.HasPrefix(f.Property, p.property), f.Property)
			pressed := 0 // ticks with an input
			for tick := range slices.Chunk(f.Inputs, game("").Inputs) {
				if slices.Max(tick) > 0 {
					pressed++
				}
			}
			t.Logf("%s, found after %d ticks: %d inputs in %d", f.Property, f.Played, pressed, f.Ticks())
			if p.bug != skipped {
				assert.LessOrEqual(t, pressed, 20, "%v", f)
			}
			if p.bug == "overflow" {
				assert.Less(t, pressed, 10, "other inputs, not only fewer of those: %v", f)
			}
		})
	}
}

// BenchmarkSound plays so many matches of each sound game, from the first tick to the last one; a
// false alarm ends it.
func BenchmarkSound(b *testing.B) {
	for name, g := range map[string]hunt.Game{
		"heroes": game(""), "factory": factory(""), "cards": cardGame(""),
	} {
		b.Run(name, func(b *testing.B) { sound(b, g, b.N) })
	}
}

func TestSoundGames(t *testing.T) {
	matches := 20
	if worldtest.AtLength() {
		matches = 1_000
	}
	sound(t, factory(""), matches)
	sound(t, cardGame(""), matches)
}

// sound plays so many matches of a game, without a state to begin from but the first one.
func sound(tb testing.TB, g hunt.Game, matches int) {
	tb.Helper()
	const length = 100 // ticks
	for seed := uint64(0); matches > 0; seed++ {
		r, err := hunt.Run(g, hunt.Options{
			Ticks: int64(matches) * length, Length: length, Memory: 1, Deep: 200, Seed: seed,
		})
		require.NoError(tb, err)
		require.Nil(tb, r.Failure, "%v", r)
		matches -= int(r.Runs)
	}
}
