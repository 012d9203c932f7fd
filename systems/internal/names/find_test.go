package names

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestListsAreUsedAgain: each list is taken by one search at a time; the first has room for all.
func TestListsAreUsedAgain(t *testing.T) {
	assert.Equal(t, 10, cap(NewLists(10).take()))
	l := NewLists(1)
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
