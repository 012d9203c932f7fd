package gameobject_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
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

// What ids print is read again; the first generation goes without saying.
func TestIDsAreReadAsTheyPrint(t *testing.T) {
	for text, want := range map[string]gameobject.ID{
		"nobody": gameobject.Nobody, "0": gameobject.MakeID(0, 1), "12v1": gameobject.MakeID(12, 1),
		"4294967295v2147483647": gameobject.MakeID(math.MaxUint32, gameobject.LastGeneration),
		"7r0":                   gameobject.MakeRecorded(7, 0), "7r12": gameobject.MakeRecorded(7, 12),
		"0v2": gameobject.MakeID(0, 2), "1v0": gameobject.MakeID(1, 0),
	} {
		id, err := gameobject.ParseID(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, id, text)
		for _, verb := range []string{"%v", "%s", "%+v"} {
			assert.Equal(t, strings.TrimSuffix(text, "v1"), fmt.Sprintf(verb, id), verb)
		}
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

func newRegistry(n int) gameobject.Registry {
	blocks := (n + 63) / 64
	return gameobject.New(gameobject.Views{
		Generations: make([]uint32, n), Next: make([]uint32, n), Alive: make([]uint64, blocks),
		Owners: make([]uint16, blocks), Groups: make([]gameobject.Group, (blocks+63)/64),
		Count: new(gameobject.Counters),
	})
}

// create creates n objects.
func create(t *testing.T, r *gameobject.Registry, n int) []gameobject.ID {
	t.Helper()
	ids := make([]gameobject.ID, n)
	for i := range ids {
		var err error
		ids[i], err = r.Create(0)
		require.NoError(t, err)
	}
	return ids
}

func indexes(ids []gameobject.ID) (all []uint32) {
	for _, id := range ids {
		all = append(all, id.Index())
	}
	return all
}

func TestCheck(t *testing.T) {
	r := newRegistry(4)
	ids := create(t, &r, 3)
	r.Dispose(ids[1].Index())
	reused := create(t, &r, 1)[0]
	r.Dispose(ids[2].Index())
	for _, c := range []struct {
		name string
		id   gameobject.ID
		want error
	}{
		{"alive", ids[0], nil},
		{"alive again", reused, nil},
		{"an earlier owner of the index", ids[1], gameobject.ErrDead},
		{"disposed", ids[2], gameobject.ErrDead},
		{"its next generation, not handed out yet", r.At(2), gameobject.ErrDead},
		{"never created", gameobject.MakeID(3, 1), gameobject.ErrDead},
		{"never created, no generation", gameobject.MakeID(3, 0), gameobject.ErrDead},
		{"a later generation", gameobject.MakeID(0, 2), gameobject.ErrDead},
		{"nobody", gameobject.Nobody, gameobject.ErrDead},
		{"first beyond", gameobject.MakeID(4, 1), gameobject.ErrOutOfRange},
		{"far beyond", gameobject.MakeID(math.MaxUint32, 1), gameobject.ErrOutOfRange},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want == nil, r.Alive(c.id))
			assert.Equal(t, c.want, r.Check(c.id))
		})
	}
}

func TestAllIsAscending(t *testing.T) {
	r := newRegistry(300)
	ids := create(t, &r, 200)
	var want []gameobject.ID
	for i, id := range ids {
		if i%3 == 0 || i/64 == 1 { // the second word is emptied
			r.Dispose(id.Index())
		} else {
			want = append(want, id)
		}
	}
	assert.Equal(t, want, slices.Collect(r.Each))
	assert.Len(t, want, r.Live())

	for n := range want {
		var got []gameobject.ID
		for id := range r.Each {
			if got = append(got, id); len(got) == n+1 {
				break
			}
		}
		require.Equal(t, want[:n+1], got, "stopped after %d", n+1)
	}
}

func TestAllLeavesOutWhatIsDisposedMeanwhile(t *testing.T) {
	r := newRegistry(130)
	ids := create(t, &r, 130)
	var got []uint32
	for id := range r.Each {
		got = append(got, id.Index())
		if next := id.Index() + 1; next%2 == 1 && next < 130 {
			r.Dispose(ids[next].Index())
		}
	}
	assert.Len(t, got, 65)
	for i, index := range got {
		assert.Equal(t, uint32(2*i), index)
	}
}

func TestAllocs(t *testing.T) {
	r := newRegistry(100)
	ids := create(t, &r, 64)
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		id, err := r.Create(0)
		if err != nil || !r.Alive(id) || r.Check(id) != nil || r.Check(ids[0]) != nil {
			t.Fail()
		}
		for range r.Each {
		}
		r.Dispose(id.Index())
		_ = r.Check(id)
	}))
}
