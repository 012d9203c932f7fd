package mcp_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world/inspect"
)

// BenchmarkAnswers asks a world of 100,000 objects, over a connection: one object and a page are to
// take 5 ms, a page of a search 50 ms. docs/ASSISTANTS.md has the figures.
func BenchmarkAnswers(b *testing.B) {
	c := serve(b, market(100_000), []byte{0, 0}, inspect.Options{})
	for _, call := range []struct {
		name      string
		tool      string
		arguments []any
	}{
		{"one object", "object", []any{"id", "77777v1"}},
		{"a page of objects", "objects", []any{"page", 2000}},
		{"a page of a search", "objects", []any{"kinds", "purse < 99, price", "page", 2000}},
		{"a page of rows", "rows", []any{"kind", "purse", "page", 2000}},
		{"an overview", "overview", nil},
		{"a diff", "diff", []any{"a", 0, "b", "now"}},
	} {
		b.Run(call.name, func(b *testing.B) {
			for b.Loop() {
				_, err := c.call(call.tool, call.arguments...)
				require.NoError(b, err)
			}
		})
	}
}
