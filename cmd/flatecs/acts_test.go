package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSeed_D19_EveryActPrintsItsLinesAndItsState(t *testing.T) {
	for line, want := range map[string]string{
		"run heroes --act 3": "act3.golden",
		"run heroes --act=2": "act2.golden",
		"run heroes --act 1": "act1.golden",
	} {
		if got := played(t, line); got != golden(t, want) {
			t.Errorf("%s printed\n%swant\n%s", line, got, golden(t, want))
		}
	}
}

func TestTheStoryHasADigest(t *testing.T) {
	require.Equal(t, "digest frame=1 xxh3=a8d6e62e6ce81e64\ndigest frame=2 xxh3=823d7f00a34e7bf8\n",
		played(t, "run heroes --frames 2 --render none --state none --digest every"))
}
