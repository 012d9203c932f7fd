package server

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Lines that name a package which is to be compiled are counted, however they arrive; others are
// kept as the reason of an error.
func TestPackagesAreCounted(t *testing.T) {
	const said = "a/b\n# a/b\nb.go:1: no\nunknown/package\nc\nhalf"
	for size := 1; size <= len(said); size++ {
		var told []string
		m := packageMeter{stale: []string{"a/b", "c", "half"}, told: func(done, total int) {
			told = append(told, fmt.Sprint(done, "/", total))
		}}
		for rest := said; rest != ""; rest = rest[min(size, len(rest)):] {
			n, err := m.Write([]byte(rest[:min(size, len(rest))]))
			require.NoError(t, err)
			assert.Equal(t, min(size, len(rest)), n)
		}
		assert.Equal(t, []string{"1/3", "2/3"}, told)
		assert.Equal(t, "# a/b\nb.go:1: no\nunknown/package\n", string(m.rest))
		assert.Equal(t, "half", string(m.part))
	}
}
