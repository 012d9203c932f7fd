package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPortalIsCurrent: every public name of systems is reached through world.
func TestPortalIsCurrent(t *testing.T) {
	want, err := Portal("../..")
	require.NoError(t, err)
	got, err := os.ReadFile("../../world/portal.go")
	require.NoError(t, err)
	if string(got) != string(want) {
		t.Error("world/portal.go is not what systems offers; run `go run ./cmd/portal` in the root")
	}
}

// TestThePageIsShort: what clients read stays a page, and what tools and schedules are built on is
// not on it.
func TestThePageIsShort(t *testing.T) {
	src, err := Portal("../..")
	require.NoError(t, err)
	for _, name := range leftOut {
		if strings.Contains(string(src), "systems."+name+"\n") ||
			strings.Contains(string(src), "func "+name+"(") {
			t.Errorf("%s is for tools; it is not forwarded", name)
		}
	}
	const most = 129 // functions, types, variables and constants
	if n := strings.Count(string(src), " = systems.") + strings.Count(string(src), "\nfunc "); n > most {
		t.Errorf("world has %d names; %d are a page", n, most)
	}
}
