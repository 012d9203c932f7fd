package names

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
)

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
