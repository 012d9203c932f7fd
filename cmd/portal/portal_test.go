package main

import (
	"os"
	"testing"
)

// TestPortalIsCurrent: every public name of systems is reached through world.
func TestPortalIsCurrent(t *testing.T) {
	want, err := Portal("../../systems")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../world/portal.go")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Error("world/portal.go is not what systems offers; run `go run ./cmd/portal` in the root")
	}
}
