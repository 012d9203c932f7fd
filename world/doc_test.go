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

// The verb indexes of world and systems name all that these packages export.
func TestIndexesNameEverything(t *testing.T) {
	for _, layer := range []string{"systems", "world"} {
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
				assert.Contains(t, index, "["+name+"]", "%s/doc.go", layer)
			}
		}
		assert.Greater(t, names, 150, layer)
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
		switch end := strings.TrimSpace(line); {
		case line[0] == '\t':
		case strings.HasSuffix(end, " ("):
			within = "group"
		case strings.HasSuffix(end, "{"):
			within = "body"
		}
	}
	return names
}
