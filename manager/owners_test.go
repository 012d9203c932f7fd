package manager

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestOwnersAreAskedInOneFile: but for inlined copies on hot paths, and checks, the package does not
// know how owners are stored, nor what a row is apart from its object.
func TestOwnersAreAskedInOneFile(t *testing.T) {
	stored := regexp.MustCompile(`owners\.(\w*Base|objects|links|mounted|homes|bases)\b|b\.base\b`)
	hot := regexp.MustCompile(`^(\(.*\) )?(AddEach|SpawnHome|DropAll|dropEach|InLockstep|ForeseeRows)\(`)
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, file := range files {
		if file == "owners.go" || regexp.MustCompile(`_(test|debug)\.go$`).MatchString(file) {
			continue
		}
		b, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, f := range strings.Split(string(b), "\nfunc ") {
			if found := stored.FindString(f); !hot.MatchString(f) {
				assert.Empty(t, found, "%s: %.60s", file, f)
			}
		}
	}
}
