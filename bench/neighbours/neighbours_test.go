package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAllWaysComeToTheSameSum(t *testing.T) {
	const n = 3000
	want := newFlat(n, 1)
	want.play()
	for name, f := range map[string]frame{
		"two workers": newFlat(n, 2), "plain": newPlain(n), "Ark": newArk(n),
		"map": newMapped(n), "Ark with a map": newArkMap(n),
	} {
		f.play()
		assert.InDelta(t, want.sum(), f.sum(), 1e-3, name)
		f.build()
		f.play()
		assert.InDelta(t, want.sum(), f.sum(), 1e-3, name)
	}
	assert.NotZero(t, want.sum())
}
