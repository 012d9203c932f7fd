package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/flatecs/flatecs/cmd/vet/checks"
	"github.com/flatecs/flatecs/cmd/vet/fused"
)

func main() {
	args := os.Args[1:]
	switch {
	case len(args) > 0 && args[0] == "fused":
		os.Exit(fused.Run(context.Background(), args[1:], os.Stdout, os.Stderr))
	case len(args) > 0 && args[0] == "help", slices.ContainsFunc(args, ofGo):
		unitchecker.Main(chosen(args)...)
	default:
		os.Exit(goVet(args))
	}
}

// chosen returns the checks; checks that make proposals only run on request.
func chosen(args []string) []*analysis.Analyzer {
	asked := slices.ContainsFunc(args, func(arg string) bool {
		return strings.HasPrefix(arg, "-rowwise") || arg == "-flags" || arg == "help"
	})
	return append(slices.DeleteFunc(slices.Clone(checks.All), func(a *analysis.Analyzer) bool {
		return a == checks.Rowwise && !asked
	}), checks.Allow)
}

// ofGo reports whether a word is a flag with which the go command runs its vettool.
func ofGo(word string) bool {
	return word == "-flags" || strings.HasPrefix(word, "-V") || strings.HasSuffix(word, ".cfg")
}

// goVet runs go vet with this program as its tool, and returns its exit code.
func goVet(args []string) int {
	self, err := os.Executable()
	if err == nil {
		cmd := exec.Command("go", append([]string{"vet", "-vettool=" + self}, args...)...)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
		err = cmd.Run()
	}
	exit := new(exec.ExitError)
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "vet:", err)
		return fused.Failed
	}
	return 0
}
