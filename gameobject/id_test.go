package gameobject_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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

func TestIDsPrintApart(t *testing.T) {
	r := newRegistry(2)
	first := create(t, &r, 1)[0]
	r.Dispose(first.Index())
	second := create(t, &r, 1)[0]
	other := create(t, &r, 1)[0]
	recorded := gameobject.MakeRecorded(7, 0)
	for id, want := range map[gameobject.ID]string{
		gameobject.Nobody: "nobody", first: "0", second: "0v2", other: "1", recorded: "7r0",
		gameobject.MakeID(1, 0): "1v0", gameobject.MakeID(math.MaxUint32, 3): "4294967295v3",
	} {
		assert.Equal(t, want, id.String())
		for _, verb := range []string{"%v", "%s", "%+v"} {
			assert.Equal(t, want, fmt.Sprintf(verb, id), verb)
		}
		back, err := gameobject.ParseID(want)
		require.NoError(t, err)
		assert.Equal(t, id, back)
	}
	assert.Equal(t, "[0 0v2]", fmt.Sprint([]gameobject.ID{first, second}))
}

func TestIDFormats(t *testing.T) {
	id := gameobject.MakeID(7, 2)
	const number = uint64(2<<32 | 7)
	for _, format := range []string{"%d", "%x", "%X", "%#x", "%o", "%b", "%20d", "%020x", "%+d", "%#v"} {
		assert.Equal(t, fmt.Sprintf(format, number), fmt.Sprintf(format, id), format)
	}
	for format, want := range map[string]string{"%6v": "   7v2", "%-6s|": "7v2   |", "%q": `"7v2"`} {
		assert.Equal(t, want, fmt.Sprintf(format, id), format)
	}
}

func TestParseID(t *testing.T) {
	for text, want := range map[string]gameobject.ID{
		"nobody": gameobject.Nobody, "0": gameobject.MakeID(0, 1), "12v1": gameobject.MakeID(12, 1),
		"4294967295v2147483647": gameobject.MakeID(math.MaxUint32, gameobject.LastGeneration),
		"7r0":                   gameobject.MakeRecorded(7, 0), "7r12": gameobject.MakeRecorded(7, 12),
	} {
		id, err := gameobject.ParseID(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, id, text)
	}
	for _, text := range []string{
		"", "v", "7v", "v3", "7v3v1", "-1", "+7", " 7", "7 ", "0x7", "7V3", "7r", "r3", "7r3v1", "Nobody", "7 (generation 2)",
	} {
		id, err := gameobject.ParseID(text)
		require.ErrorIs(t, err, strconv.ErrSyntax, text)
		require.ErrorContains(t, err, "is not an id; give an index", text)
		assert.Equal(t, gameobject.Nobody, id, text)
	}
	for _, text := range []string{"4294967296", "1v2147483648", "1r2147483648"} {
		_, err := gameobject.ParseID(text)
		assert.ErrorIs(t, err, strconv.ErrRange, text)
	}
}

func TestIDsInJSON(t *testing.T) {
	type saved struct {
		Target gameobject.ID
		Names  map[gameobject.ID]string
	}
	all := saved{gameobject.MakeID(7, 3), map[gameobject.ID]string{gameobject.MakeID(2, 1): "a"}}
	b, err := json.Marshal(all)
	require.NoError(t, err)
	assert.JSONEq(t, `{"Target":"7v3","Names":{"2":"a"}}`, string(b))
	var back saved
	require.NoError(t, json.Unmarshal(b, &back))
	assert.Equal(t, all, back)
	assert.ErrorIs(t, json.Unmarshal([]byte(`{"Target":"x"}`), &back), strconv.ErrSyntax)
}
