package main

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/family"
)

func Example() {
	main()
	// Output:
	// object 0, health 80, hull.planks 31
	// object 1, gun [0.5 12]
	// object 2, gun [0.5 18]
	// object 0, health 80, hull.planks 31, rust.depth 0.1
	// object 3, hull.planks 3, rust.depth 4, rust.spots [1 2 3 4]
}

// TestFilesOfAnyEditor are read alike.
func TestFilesOfAnyEditor(t *testing.T) {
	ships, err := mods.ReadFile("ships.json")
	check(err)
	for _, end := range []string{"\n", "\r\n", "\r"} {
		text := "\ufeff" + strings.ReplaceAll(string(ships), "\n", end)
		var kinds Kinds
		if err := kinds.Read(fstest.MapFS{"a": {Data: []byte(text)}}, "a"); err != nil {
			t.Errorf("%q: %v", end, err)
		}
	}
}

// TestWrongFilesAreRefused: a file that is wrong is named with the reason, and leaves no trace.
func TestWrongFilesAreRefused(t *testing.T) {
	var kinds Kinds
	check(kinds.Read(mods, "ships.json"))
	for text, part := range map[string]string{
		`{"kinds": [}`: "invalid character",
		`{"kinds": [{"name": "new"}, {"name": "hull"}]}`:                                  `"hull"`,
		`{"kinds": [{"name": ""}]}`:                                                       `""`,
		`{"kinds": [{"name": "k", "fields": [{"name": "f"}]}]}`:                           "0 parts",
		`{"kinds": [{"name": "k", "fields": [{"name": "f", "parts": [{"type": "x"}]}]}]}`: "no element",
		`{"kinds": [{"name": "k", "fields": [{"name": "f", "parts": [
			{"type": "int64", "lanes": 9223372036854775807}]}]}]}`: "65536",
		`{"kinds": [{"name": "k", "fields": [
			{"name": "f", "parts": [{"type": "int8"}], "default": "300"}]}]}`: "300",
		`{"kinds": [{"name": "k", "fields": [
			{"name": "f", "parts": [{"type": "id"}], "default": "3"}]}]}`: "nobody",
		`{"kinds": [{"name": "k", "fields": [
			{"name": "f", "parts": [{"type": "int8"}]}, {"name": "f", "parts": [{"type": "int8"}]}
		]}]}`: "two fields",
		`{"recipes": [{"name": "ship"}]}`:                       `"ship"`,
		`{"recipes": [{"name": "r", "kinds": ["none"]}]}`:       `"none"`,
		`{"recipes": [{"name": "r", "kinds": ["gun", "gun"]}]}`: "twice",
	} {
		files := fstest.MapFS{"mod.json": {Data: []byte(text)}}
		err := kinds.Read(files, "mod.json")
		if err == nil || !strings.Contains(err.Error(), part) ||
			!strings.HasPrefix(err.Error(), "mod.json: ") {
			t.Errorf("%s: %v", text, err)
		}
		if len(kinds.list) != 2 || len(kinds.recipes) != 2 {
			t.Errorf("%s: it left a trace", text)
		}
	}
	counts := kinds.Counts(family.ChildOf, Health)
	if state, err := world.CreateState(counts); err != nil {
		t.Error(err)
	} else {
		world.Close(state)
	}
}
