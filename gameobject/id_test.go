package gameobject_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/flatecs/flatecs/gameobject"
)

func TestID(t *testing.T) {
	for _, c := range []struct{ index, generation uint32 }{
		{0, 1}, {7, 2}, {math.MaxUint32, 1}, {0, math.MaxUint32}, {1 << 31, 1 << 31},
	} {
		id := gameobject.MakeID(c.index, c.generation)
		assert.Equal(t, gameobject.ID(uint64(c.generation)<<32|uint64(c.index)), id)
		assert.Equal(t, c.index, id.Index())
		assert.Equal(t, c.generation, id.Generation())
		assert.NotEqual(t, gameobject.Nobody, id)
	}
	assert.Equal(t, gameobject.Nobody, gameobject.MakeID(0, 0))
}

func TestIDPrintsItsIndex(t *testing.T) {
	id := gameobject.MakeID(7, 2)
	for format, want := range map[string]string{
		"%v": "7", "%d": "7", "%s": "7", "%+v": "7 (generation 2)", "%+d": "7 (generation 2)",
	} {
		assert.Equal(t, want, fmt.Sprintf(format, id), format)
	}
	assert.Equal(t, "7", id.String())
	assert.Equal(t, "[7 7]", fmt.Sprint([]gameobject.ID{id, id}))
}
