package manager_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/manager"
)

// lives creates and disposes game objects of a new arena at random.
func lives(t *testing.T, r *rand.Rand, steps int) *manager.Arena {
	t.Helper()
	a := must(manager.NewArena(manager.Sizes{Objects: 200}))
	var live []gameobject.ID
	for range steps {
		if n := len(live); n > 0 && r.IntN(5) < 2 {
			i := r.IntN(n)
			a.Objects.Dispose(live[i].Index())
			live[i] = live[n-1]
			live = live[:n-1]
		} else if id, err := a.Objects.Create(); err == nil {
			live = append(live, id)
		}
	}
	return a
}

// TestDifferenceOfLivesNamesALiveObject: the object that the first difference names is alive where
// the difference says so, and dead where it does not.
func TestDifferenceOfLivesNamesALiveObject(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 8))
	parts := map[string]int{}
	for range 300 {
		steps := 1 + r.IntN(250)
		a, b := lives(t, r, steps), lives(t, r, steps+r.IntN(3))
		d, differ := a.FirstDifference(b)
		if !differ {
			continue
		}
		parts[d.Part]++
		here, there := a.Objects.Alive(d.Object), b.Objects.Alive(d.Object)
		switch d.Part {
		case "alive":
			assert.Equal(t, [2]string{yes(here), yes(there)}, d.Values, "%v", d)
			assert.NotEqual(t, here, there, "%v", d)
		case "generation":
			assert.True(t, here, "%v", d)
			assert.False(t, there, "%v", d)
		default:
			assert.Equal(t, gameobject.Nobody, d.Object, "%v", d)
		}
	}
	assert.NotZero(t, parts["alive"])
	assert.NotZero(t, parts["generation"])
}

func yes(ok bool) string {
	if ok {
		return "yes"
	}
	return "no"
}

// TestDifferenceOfDeadIndexesNamesNobody: what was disposed more often in one world than in the
// other is no object of either.
func TestDifferenceOfDeadIndexesNamesNobody(t *testing.T) {
	var worlds [2]*manager.Arena
	for i := range worlds {
		worlds[i] = must(manager.NewArena(manager.Sizes{Objects: 64}))
		for range i + 1 {
			worlds[i].Objects.Dispose(must(worlds[i].Objects.Create()).Index())
		}
	}
	d, differ := worlds[0].FirstDifference(worlds[1])
	require.True(t, differ)
	assert.Equal(t, gameobject.Nobody, d.Object)
	assert.Equal(t, "game objects.generations[0]", d.Part)
}
