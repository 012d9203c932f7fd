package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTextsForMachines: one lists each page, the other has the guides, all calls of world with their
// docs and the examples, whose code is that of files that tests compile.
func TestTextsForMachines(t *testing.T) {
	b, err := built()
	require.NoError(t, err)
	list, full := string(b.files["llms.txt"]), string(b.files["llms-full.txt"])
	for _, p := range b.pages {
		assert.Contains(t, list, "]("+p.Name+")")
	}
	assert.LessOrEqual(t, len(full), maxFull+1000)
	for _, source := range first[:11] {
		assert.Contains(t, full, "\n==== "+source+"\n", source)
	}
	assert.Contains(t, full, "func SpawnN(")
	assert.NotContains(t, full, "<dfn")
	programs, err := b.Examples()
	require.NoError(t, err)
	for _, e := range programs {
		assert.Contains(t, full, strings.TrimSpace(e.Source), e.Name)
	}
	t.Logf("%d bytes", len(full))
}
