package world_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// exported finds what a package offers at its top level, but for methods.
var exported = regexp.MustCompile(`(?m)^(?:func|type|var|const|\t) ?([A-Z]\w*)(?:\(|\[| |,|$)`)

// forward finds what world forwards.
var forward = regexp.MustCompile(`(?m)^[^/\n]*\bsystems\.(\w+)`)

// The verb indexes name all that the packages export, of which there is at least so much. That of
// systems leaves to world what world forwards.
func TestIndexesNameEverything(t *testing.T) {
	page := map[string]bool{}
	for _, m := range forward.FindAllStringSubmatch(read(t, "world/portal.go"), -1) {
		page[m[1]] = true
	}
	for layer, least := range map[string]int{
		"systems": 150, "systems/tool": 35, "world": 100, "manager": 40, "gameobject": 5, "buffer": 10, "layout": 15,
		"world/session": 5, "world/delta": 3, "world/save": 20, "world/inspect": 3,
		"world/schedule": 15, "world/hooks": 8, "world/loop": 6, "world/history": 4,
		"world/memory": 12, "world/share": 10, "world/hand": 10,
	} {
		index := read(t, filepath.Join(layer, "doc.go"))
		sources, err := filepath.Glob(filepath.Join("..", layer, "*.go"))
		require.NoError(t, err)
		names := 0
		for _, source := range sources {
			if strings.HasSuffix(source, "_test.go") || filepath.Base(source) == "doc.go" {
				continue
			}
			for _, name := range topLevel(read(t, filepath.Join(layer, filepath.Base(source)))) {
				names++
				if layer != "systems" || !page[name] {
					assert.Contains(t, index, "["+name+"]", "%s/doc.go: %s", layer, name)
				}
			}
		}
		assert.GreaterOrEqual(t, names, least, layer)
	}
}

// topLevel returns the names that a file exports. Fields of structs and methods are left out.
func topLevel(source string) (names []string) {
	within := "" // what the group or the body is of
	for line := range strings.Lines(source) {
		switch {
		case strings.HasPrefix(line, ")"), strings.HasPrefix(line, "}"):
			within = ""
		case within == "body":
			continue
		case exported.MatchString(line) && (line[0] != '\t' || within == "group"):
			names = append(names, exported.FindStringSubmatch(line)[1])
		}
		code, _, _ := strings.Cut(line, " //")
		switch end := strings.TrimSpace(code); {
		case line[0] == '\t':
		case strings.HasSuffix(end, " ("):
			within = "group"
		case strings.HasSuffix(end, "{"):
			within = "body"
		}
	}
	return names
}

// What an alias hides is in the index too, and links to where it is.
func TestTheIndexNamesMethods(t *testing.T) {
	index := read(t, "world/doc.go")
	methods := regexp.MustCompile(`(?m)^//   - \[(systems\.\w+\.(\w+))\]\(`)
	seen := 0
	for _, m := range methods.FindAllStringSubmatch(read(t, "world/portal.go"), -1) {
		switch m[2] {
		case "String", "Error", "Unwrap": // which Go's own interfaces ask for
			continue
		}
		seen++
		assert.Contains(t, index, "["+m[1]+"]")
	}
	assert.Greater(t, seen, 50)
	page := read(t, "world/portal.go")
	for _, m := range regexp.MustCompile(`\[(systems\.[\w.]+)\]`).FindAllStringSubmatch(index, -1) {
		isThere := strings.Contains(page, "["+m[1]+"](") || strings.Contains(page, " "+m[1]+",")
		assert.True(t, isThere, "the index names %s", m[1])
	}
}
