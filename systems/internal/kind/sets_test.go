package kind

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/manager"
)

// TestSetsAgainstAMap: found sets are the stored ones, also if sets share a place.
func TestSetsAgainstAMap(t *testing.T) {
	var all []layout.Kind
	managers := map[layout.Kind]*manager.Manager{}
	for i := range MaxSet + 4 {
		k := layout.NewMark(fmt.Sprint("set", i))
		all = append(all, k)
		managers[k] = &manager.Manager{}
	}
	r, s := rand.New(rand.NewPCG(7, 8)), Sets{}
	kept, again := map[string]bool{}, 0
	_, ok := s.Find(all[:1])
	assert.False(t, ok, "nothing was kept")
	for range 5000 {
		from := r.IntN(len(all))
		kinds := all[from : from+r.IntN(len(all)-from+1)]
		if r.IntN(8) == 0 && len(kinds) > 1 {
			kinds = slices.Clone(kinds)
			slices.Reverse(kinds)
		}
		var want []*manager.Manager
		var list []layout.AnyKind
		for _, k := range kinds {
			want, list = append(want, managers[k]), append(list, k)
		}
		if found, ok := s.Again(list); ok {
			again++
			require.Len(t, found, len(want))
			for i := range want {
				require.Same(t, want[i], found[i])
			}
		}
		found, ok := s.Find(kinds)
		if ok {
			require.True(t, len(kinds) == 0 || kept[fmt.Sprint(kinds)], "%v was not kept", kinds)
			require.Len(t, found, len(want))
			for i := range want {
				require.Same(t, want[i], found[i])
			}
			again, ok := s.Again(list)
			require.True(t, ok && len(again) == len(want), "what was found last is found again")
			continue
		}
		room := s.Room(kinds)
		for _, m := range want {
			if len(room) < MaxSet {
				room = append(room, m)
			}
		}
		s.Keep(kinds)
		kept[fmt.Sprint(kinds)] = true
		_, ok = s.Find(kinds)
		require.Equal(t, len(kinds) <= MaxSet, ok)
	}
	assert.Positive(t, again)
}

// TestGrowKeepsWhatIsThere: a list has every number that was asked for, and is no longer.
func TestGrowKeepsWhatIsThere(t *testing.T) {
	list := Grow([]string{"a"}, 3)
	assert.Equal(t, []string{"a", "", "", ""}, list)
	assert.Equal(t, list, Grow(list, 1))
}

// TestAppendNamesTheArgument: that is nothing, by its place.
func TestAppendNamesTheArgument(t *testing.T) {
	k := layout.NewMark("appended")
	assert.Equal(t, []layout.Kind{k, k}, Append(nil, "Test", []layout.AnyKind{k, k}))
	for _, nothing := range []layout.AnyKind{nil, layout.Kind{}, (*layout.Field[int32])(nil)} {
		func() {
			defer func() {
				assert.Contains(t, fmt.Sprint(recover()), "argument 1 of Test is a ")
			}()
			Append(nil, "Test", []layout.AnyKind{k, nothing})
			assert.Fail(t, "no panic")
		}()
	}
}
