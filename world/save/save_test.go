package save_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/save"
)

// saved returns what Write writes.
func saved(t *testing.T, s world.State, o save.Options) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, save.Write(&b, s, o))
	return b.Bytes()
}

func TestWhatIsWrittenIsReadBack(t *testing.T) {
	for _, compress := range []bool{false, true} {
		s, counts := busy(t)
		o := options()
		o.Compress = compress
		file := saved(t, s, o)
		back, report, err := save.Read(bytes.NewReader(file), int64(len(file)), counts, o)
		require.NoError(t, err)
		require.NoError(t, world.Verify(back))
		assert.Empty(t, report.Kept)
		assert.Empty(t, report.New)
		assert.Empty(t, report.Dropped)
		assert.Equal(t, world.Tick(s), report.Tick)
		d, differ, err := world.FirstDifference(s, back)
		require.NoError(t, err)
		assert.False(t, differ, "%v", d)
		assert.True(t, world.Equal(s, back))
		assert.Equal(t, world.Digest(s), world.Digest(back))
		assert.Equal(t, file, saved(t, back, o), "and is written as before")
		same(t, s, back)
	}
}
