// Package checktest runs an analyzer over a package of testdata. These packages
// import flatecs as it is, and say in comments what is to be found:
//
//	rise(state) // want `the State that rise returns is dropped`
package checktest

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
)

// Run fails the test where the analyzer finds anything else than the package says.
func Run(t *testing.T, a *analysis.Analyzer, name string) {
	t.Helper()
	analysistest.Run(t, module(t), a, "./testdata/"+name)
}

// Fix fails the test, too, where the analyzer mends the package in another way than is written
// beside it.
func Fix(t *testing.T, a *analysis.Analyzer, name string) {
	t.Helper()
	analysistest.RunWithSuggestedFixes(t, module(t), a, "./testdata/"+name)
}

// module returns the directory of the module, above that of the test.
func module(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Dir(strings.TrimSpace(string(out)))
}
