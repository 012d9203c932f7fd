package shard_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The program of docs/SCALE.md is the example of this package.
func TestTheProgramOfTheDocsIsTheExample(t *testing.T) {
	doc, err := os.ReadFile("../../docs/SCALE.md")
	require.NoError(t, err)
	_, rest, ok := strings.Cut(string(doc), "```go\npackage main\n")
	require.True(t, ok)
	program, _, ok := strings.Cut(rest, "```")
	require.True(t, ok)
	example, err := os.ReadFile("example_test.go")
	require.NoError(t, err)
	_, want, _ := strings.Cut(string(example), "package shard_test\n")
	want, _, _ = strings.Cut(want, "\t// Output: ")
	assert.Equal(t, strings.Replace(want, "func Example()", "func main()", 1)+"}\n", program)
}
