package names

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestIndexOf compares with slices.Index, over every length, and with hashes that occur often.
func TestIndexOf(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 40 {
		hashes := make([]uint32, n)
		for range 50 {
			for i := range hashes {
				hashes[i] = r.Uint32N(30)
			}
			hash := r.Uint32N(30)
			assert.Equal(t, slices.Index(hashes, hash), indexOf(hashes, hash), hashes)
		}
	}
}

// TestListsAreUsedAgain: there are as many lists as were ever taken at once, and each is taken by
// one search at a time.
func TestListsAreUsedAgain(t *testing.T) {
	l := NewLists(10)
	a, b := l.take(), l.take()
	assert.Equal(t, 10, cap(a))
	l.give(append(a, named{1, 2}))
	l.give(b)
	assert.Len(t, l.idle, 2)
	assert.Empty(t, l.take())
	assert.Empty(t, l.take())
	assert.Empty(t, l.idle)

	l = NewLists(1)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for i := range 100 {
				list := append(l.take(), named{order: uint64(i)})
				assert.Len(t, list, 1)
				l.give(list)
			}
		})
	}
	group.Wait()
	assert.LessOrEqual(t, len(l.idle), 4)
}

func TestNamesOfOneHash(t *testing.T) {
	assert.Equal(t, hashOf("liquid"), hashOf("costarring"))
	assert.NotEqual(t, hashOf("liquid"), hashOf("liquie"))
}
