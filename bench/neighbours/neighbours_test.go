package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAllWaysComeToTheSameSum(t *testing.T) {
	ways := waysOf(3000)
	for range 2 {
		for _, w := range ways {
			w.frame.build()
			w.frame.play()
		}
		require.NoError(t, agree(ways))
	}
	assert.NotZero(t, ways[0].frame.sum())
}

func TestFollowing(t *testing.T) {
	var out bytes.Buffer
	f := newFlat(3000, 1)
	require.NoError(t, follow(strings.NewReader("play\nplay\n"), &out, f))
	assert.Equal(t, "played\nplayed\n", out.String())
	assert.NotZero(t, f.sum())
}

func TestNearestFindsWhatASearchOverNearFinds(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, compareNearest(&out, 1))
	assert.Len(t, strings.Split(out.String(), "\n"), 4+len(lines)+1)
}
