package world_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestSeed_D20_PagesTeachTheChapter: README and GUIDE carry what the chapter teaches.
func TestSeed_D20_PagesTeachTheChapter(t *testing.T) {
	guide, readme := read(t, "docs/GUIDE.md"), read(t, "README.md")
	for _, teaching := range []string{
		"Composition, not inheritance", "Data are contiguous", "Logic is apart from data",
		"Cache hits", "Creating and disposing allocate nothing", "A clear place for each piece of logic",
		"A new behaviour is a new system", "A functional way of thinking",
		"many kinds of characters", "new ones keep coming", "scene management", "act 1 is enough",
		"single responsibility", "composition over inheritance", "interface segregation",
		"least knowledge", "open to extension",
	} {
		assert.Contains(t, guide, teaching)
	}
	assert.Contains(t, readme, "contiguous")
	assert.Contains(t, readme, "## When not to use it")
	assert.Contains(t, readme, "GUIDE.md")
}
