package buffer

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLimitsOfControlGroups(t *testing.T) {
	for name, c := range map[string]struct {
		groups string
		files  map[string]string
		want   int64
	}{
		"none":              {"", nil, MaxSize},
		"version 2":         {"0::/a/b\n", map[string]string{"a/b/memory.max": "1000\n"}, 1000},
		"without a limit":   {"0::/a/b\n", map[string]string{"a/b/memory.max": "max\n"}, MaxSize},
		"of the one above":  {"0::/a/b\n", map[string]string{"a/b/memory.max": "max\n", "a/memory.max": "70\n"}, 70},
		"in a container":    {"0::/\n", map[string]string{"memory.max": "500\n"}, 500},
		"seen from inside":  {"0::/../x\n", map[string]string{"memory.max": "500\n"}, 500},
		"version 1":         {"3:cpuset:/a\n4:memory:/a\n", map[string]string{"memory/a/memory.limit_in_bytes": "9\n"}, 9},
		"mounted elsewhere": {"4:memory:/docker/id\n", map[string]string{"memory/memory.limit_in_bytes": "9\n"}, 9},
		"others":            {"9:name=systemd:/a\n", map[string]string{"a/memory.max": "9\n"}, MaxSize},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			groups := filepath.Join(dir, "cgroup")
			require.NoError(t, os.WriteFile(groups, []byte(c.groups), 0o600))
			for file, text := range c.files {
				path := filepath.Join(dir, "fs", file)
				require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
				require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
			}
			assert.Equal(t, c.want, groupLimit(groups, filepath.Join(dir, "fs")))
		})
	}
}

func TestThisProgramHasMemory(t *testing.T) {
	addresses, resident := has()
	assert.Positive(t, resident)
	assert.GreaterOrEqual(t, addresses, resident)
	assert.Positive(t, Memory())
}
