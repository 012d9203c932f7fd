package mask_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout/mask"
)

func TestMaskOfTheEdgesOfWords(t *testing.T) {
	var m mask.Mask
	numbers := []int{0, 30, 31, 62, 63, 64, 99}
	for i, n := range numbers {
		assert.False(t, m.Has(n))
		m.Set(n)
		m.Set(n)
		assert.Equal(t, numbers[:i+1], slices.Collect(m.All()))
		assert.Equal(t, i+1, m.Len())
		for _, other := range []int{n - 1, n + 1} {
			assert.Equal(t, slices.Contains(numbers[:i+1], other), m.Has(other), other)
		}
	}
	assert.Equal(t, "0-30-31-62-63-64-99", m.String())
	assert.Equal(t, mask.Mask{1 | 1<<30 | 1<<31 | 1<<62 | 1<<63, 1 | 1<<35}, m)
	m.Clear()
	assert.Zero(t, m.Len())
	assert.Empty(t, m.String())
}

func TestMaskWithoutWords(t *testing.T) {
	var none mask.Mask
	none.Unset(5)
	none.Clear()
	assert.False(t, none.Has(0))
	assert.False(t, none.Has(-1))
	assert.Empty(t, slices.Collect(none.All()))
	some := mask.New(100)
	assert.True(t, none.SubsetOf(some))
	assert.False(t, some.SubsetOf(none))
	assert.False(t, none.Intersects(some))
	assert.False(t, some.Intersects(none))
	some.Unset(100)
	assert.True(t, some.Equal(none), "words without bits do not count")
	assert.PanicsWithValue(t, "mask: no kind has number -1; use numbers from 0 to 65535",
		func() { mask.New(-1) })
}

func TestMaskIsASlice(t *testing.T) {
	m := mask.New(2, 1, 0, 1)
	assert.Equal(t, mask.Mask{0b111}, m)
	copied := slices.Clone(m)
	copied.Unset(1)
	assert.Equal(t, "0-2", copied.String())
	assert.Equal(t, "0-1-2", m.String())
	for n := range m.All() {
		assert.Zero(t, n)
		break
	}
}

func TestAllocMask(t *testing.T) {
	m, other := mask.New(300), mask.New(4, 200)
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		m.Clear()
		m.Set(4)
		m.Set(200)
		if !m.Has(4) || !m.Equal(other) || !m.Intersects(other) || m.Len() != 2 {
			t.Fail()
		}
		for n := range m.All() {
			m.Unset(n)
		}
	}))
}

// A naive mask: what the same calls do to a map.
type naive map[int]bool

func (a naive) intersects(b naive) bool {
	for n := range a {
		if b[n] {
			return true
		}
	}
	return false
}

func (a naive) subsetOf(b naive) bool {
	for n := range a {
		if !b[n] {
			return false
		}
	}
	return true
}

func (a naive) String() string {
	var text []string
	for _, n := range slices.Sorted(maps.Keys(a)) {
		text = append(text, fmt.Sprint(n))
	}
	return strings.Join(text, "-")
}

func TestMaskAgainstModel(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	masks, models := make([]mask.Mask, 4), []naive{{}, {}, {}, {}}
	for op := range 20_000 {
		i := r.IntN(4)
		n := []int{r.IntN(8), 60 + r.IntN(8), r.IntN(400)}[r.IntN(3)]
		switch r.IntN(20) {
		case 0:
			masks[i].Clear()
			clear(models[i])
		case 1:
			j := r.IntN(4)
			masks[i], models[i] = slices.Clone(masks[j]), maps.Clone(models[j])
		case 2, 3, 4, 5, 6, 7, 8, 9:
			masks[i].Unset(n)
			delete(models[i], n)
		default:
			masks[i].Set(n)
			models[i][n] = true
		}
		j := r.IntN(4)
		a, b, x, y := masks[i], masks[j], models[i], models[j]
		require.Equal(t, x.String(), a.String(), "seed %d, operation %d", seed, op)
		require.Equal(t, x[n], a.Has(n), "seed %d", seed)
		require.Equal(t, len(x), a.Len(), "seed %d", seed)
		require.Equal(t, x.intersects(y), a.Intersects(b), "seed %d: %v and %v", seed, a, b)
		require.Equal(t, x.subsetOf(y), a.SubsetOf(b), "seed %d: %v and %v", seed, a, b)
		require.Equal(t, maps.Equal(x, y), a.Equal(b), "seed %d: %v and %v", seed, a, b)
	}
}
