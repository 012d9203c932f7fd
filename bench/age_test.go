//go:build tools

package main

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/bench/harness"
)

// oldest is how many commits of the heart the figures may be behind.
const oldest = 60

// TestFiguresAreNotOld: each row of the results was measured on a commit that few of the heart
// follow. A shallow clone has no commits to count.
func TestFiguresAreNotOld(t *testing.T) {
	git := func(args ...string) string {
		out, err := exec.Command("git", args...).CombinedOutput()
		require.NoError(t, err, "git %v: %s", args, out)
		return strings.TrimSpace(string(out))
	}
	if git("rev-parse", "--is-shallow-repository") == "true" {
		return
	}
	ages := map[string]int{}
	for _, file := range []string{"peers.csv", "frame.csv"} {
		rows, err := harness.ReadRows(filepath.Join("results", file))
		require.NoError(t, err)
		require.NotEmpty(t, rows, file)
		for _, r := range rows {
			of := regexp.MustCompile(`; commit ([0-9a-f]{7,})$`).FindStringSubmatch(r.Machine)
			require.NotNil(t, of, "%s: %s at %d: measured on %q, which names no commit as it is", file,
				r.Case, r.N, r.Machine)
			if _, known := ages[of[1]]; !known {
				age, err := strconv.Atoi(git("rev-list", "--count", of[1]+"..HEAD", "--", "../layout",
					"../buffer", "../gameobject", "../manager", "../systems", "../unsafeutil"))
				require.NoError(t, err)
				ages[of[1]] = age
			}
			require.LessOrEqual(t, ages[of[1]], oldest, "%s is %d commits of the heart old; run go run "+
				"./bench measure", file, ages[of[1]])
		}
	}
}
