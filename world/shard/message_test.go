package shard

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// read parses the parts of a message and joins them.
func read(parts [][]byte) ([]byte, error) {
	var h header
	body, err := h.parse(parts[0])
	if err != nil {
		return nil, err
	}
	return join(h, body, func(part int) ([]byte, error) { return parts[part], nil })
}

func TestMessagesAreCutAndJoined(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		body := make([]byte, r.IntN(2000))
		for i := range body {
			body[i] = byte(r.Uint32())
		}
		limit := headerSize + 1 + r.IntN(500)
		parts := cut(header{tick: 7, from: 1, to: 2}, body, limit)
		assert.Len(t, parts, max(1, (len(body)+limit-headerSize-1)/(limit-headerSize)))
		for _, b := range parts {
			assert.LessOrEqual(t, len(b), limit)
		}
		got, err := read(parts)
		require.NoError(t, err)
		assert.Equal(t, body, append([]byte{}, got...))
		damage(t, r, parts)
	}
}

// damage changes a byte of the body, or shortens a part.
func damage(t *testing.T, r *rand.Rand, parts [][]byte) {
	t.Helper()
	b := &parts[r.IntN(len(parts))]
	if len(*b) > headerSize && r.IntN(2) == 0 {
		(*b)[headerSize+r.IntN(len(*b)-headerSize)]++
	} else {
		*b = (*b)[:r.IntN(headerSize)]
	}
	_, err := read(parts)
	assert.ErrorIs(t, err, ErrMessage)
}

func FuzzMessage(f *testing.F) {
	for _, b := range cut(header{tick: 1}, []byte("some body"), headerSize+5) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var h header
		body, err := h.parse(b)
		if err != nil {
			assert.ErrorIs(t, err, ErrMessage)
			return
		}
		_, err = join(h, body, func(int) ([]byte, error) { return nil, ErrLost })
		if err == nil {
			assert.LessOrEqual(t, len(body), len(b))
		}
	})
}

func TestEpochsAreNoDivergence(t *testing.T) {
	a := cut(header{tick: 1, epoch: 1}, []byte("a"), 100)[0]
	later := cut(header{tick: 1, epoch: 2}, []byte("a"), 100)[0]
	other := cut(header{tick: 1, epoch: 2}, []byte("b"), 100)[0]
	require.NoError(t, compare(a, later))
	require.ErrorIs(t, compare(a, other), ErrDiverged)
	assert.ErrorIs(t, compare(a, nil), ErrMessage)
}
