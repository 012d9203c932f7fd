package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOneFileForTwoIsRefused(t *testing.T) {
	dir := t.TempDir()
	old, link, fresh := filepath.Join(dir, "old"), filepath.Join(dir, "link"), filepath.Join(dir, "new")
	require.NoError(t, os.WriteFile(old, []byte("kept"), 0o600))
	require.NoError(t, os.Symlink(old, link))
	there, dangling := filepath.Join(dir, "there"), filepath.Join(dir, "dangling")
	require.NoError(t, os.Symlink(dir, there))
	require.NoError(t, os.Symlink("new", dangling))
	elsewhere := filepath.Join(there, "new")
	for _, c := range []struct{ name, line, flags, path string }{
		{"new", "run heroes --cpuprofile NEW --trace NEW", "--cpuprofile and --trace", fresh},
		{"old", "run heroes --act 1 --cpuprofile OLD --memprofile OLD", "--cpuprofile and --memprofile", old},
		{"link", "run heroes --memprofile OLD --trace LINK", "--memprofile and --trace", link},
		{"scene", "run cubes --memprofile NEW --trace NEW", "--memprofile and --trace", fresh},
		{"record", "run cubes --trace NEW --record NEW", "--record and --trace", fresh},
		{"folder", "run heroes --cpuprofile NEW --trace THERE", "--cpuprofile and --trace", elsewhere},
		{"dangling", "run heroes --cpuprofile NEW --trace DANGLING", "--cpuprofile and --trace", dangling},
		{"save", "run cubes --cpuprofile NEW --save NEW", "--save and --cpuprofile", fresh},
		{"save and record", "run cubes --record NEW --save THERE", "--save and --record", fresh},
		{"load", "run cubes --load OLD --trace LINK", "--load and --trace", link},
		{"picture", "run cubes --render png --out NEW --memprofile NEW", "--out and --memprofile", fresh},
		{"replay", "replay OLD --trace LINK", "FILE and --trace", link},
	} {
		t.Run(c.name, func(t *testing.T) {
			line := strings.NewReplacer("NEW", fresh, "OLD", old, "LINK", link, "THERE", elsewhere, "DANGLING", dangling).Replace(c.line)
			r := play(t, line)
			assert.Equal(t, 2, r.code)
			assert.Empty(t, r.out)
			assert.Contains(t, r.err, c.flags+" both name "+c.path+"; give each a file of its own\n")
			assert.NoFileExists(t, fresh)
			text, err := os.ReadFile(old)
			require.NoError(t, err)
			assert.Equal(t, "kept", string(text))
		})
	}
}

func TestOneDeviceForTwo(t *testing.T) {
	played(t, "run heroes --state none --cpuprofile "+os.DevNull+" --trace "+os.DevNull)
}
