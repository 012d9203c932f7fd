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
	stored := regexp.MustCompile(`\b(Rows|rows)\.(objectBase|mountedBase|homeBase|objects|links|mounted|homes)\b|\.bases\b|b\.Base\b`)
	hot := regexp.MustCompile(`^(\(.*\) )?(AddEach|dropEach|InLockstep|ForeseeRows)\(`)
	files, _ := filepath.Glob("*.go")
	require.NotEmpty(t, files)
	for _, file := range files {
		if regexp.MustCompile(`(rows|blocks|byblock)\.go$|_(test|debug)\.go$`).MatchString(file) {
			continue
		}
		b, _ := os.ReadFile(file)
		for f := range strings.SplitSeq(string(b), "\nfunc ") {
			assert.True(t, hot.MatchString(f) || !stored.MatchString(f), "%s: %.60s", file, f)
		}
	}
}
