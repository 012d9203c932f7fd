package main

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// Modules that the tree's go.work leaves out, because they are heavy.
const (
	toolsModule  = "cmd/tools"  // pins the tools
	vetModule    = "cmd/vet"    // looks for misuse of worlds
	windowModule = "cmd/ebiten" // shows a world by Ebitengine
	arrowModule  = "cmd/arrow"  // writes worlds and tables as Apache Arrow
)

// fast are the steps that take no time.
var fast = []step{
	{"laws", "layers, unsafe, assembly, top-level entries; what pages and indexes show", checkLaws},
}

// gate is what every change has to pass. A tag is tested in the packages whose files it selects, or
// whose behaviour it changes.
var gate = slices.Concat(fast, []step{
	{"tidy", "go.mod and go.sum of each module are tidy", checkTidy},
	{"lint", "format, length, comments and imports; two sets of tags", checkLint},
	{"vet", "go vet for each other host", checkVet},
	{"misuse", "cmd/vet finds what its tests want, and no misuse of worlds here", checkMisuse},
	{"fused", "no product is fused with a sum in what decides a world's bytes", checkFused},
	{"test", "all tests, at length, with those that need other programs", allTests("-tags=tools")},
	{"modules", "the tests of the modules outside go.work", checkModules},
	{"release", "the modules, packed as a release, do what the README says", checkRelease},
	{
		"debug", "the library's short tests under ecsdebug",
		goTest(nil, "-tags=ecsdebug", "-short", "./..."),
	},
	{
		"unchecked", "short tests under ecsrelease, States unchecked",
		goTest(nil, "-tags=ecsrelease", "-short", "./manager", "./systems/...", "./world",
			"./world/memory", "./world/schedule", "./world/share"),
	},
	{
		"purego", "short tests without assembly",
		goTest(nil, "-tags=purego", "-short", "./buffer/...", "./manager", "./systems",
			"./world/delta", scenes),
	},
	{"hosts", "short tests for 386, and on arm64 and wasm", checkHosts},
	{
		"race", "the short tests under the race detector, where goroutines are",
		goTest(soon, slices.Concat([]string{"-race", "-short",
			"-skip=^TestAllocs|^TestGoldenDigests$|^TestAnotherSeed"}, racing)...),
	},
	{"pages", "pages and windows, if cmd or world/inspect changed in the last day", checkPages},
})

// nightly is what takes hours.
var nightly = []step{
	{"length", "the tests under ecsdebug, at length", allTests("-tags=ecsdebug")},
	{
		"bench", "each benchmark runs once",
		goTest(nil, "-run=^$", "-bench=.", "-benchtime=1x", "work"),
	},
	{"browser", "the tests in a browser", checkBrowser},
	{"window", "the tests in a window", checkWindow},
	{"fuzz", "each fuzz target finds nothing for a while", checkFuzz},
	{"mutants", "tests see small changes of the heart", checkMutants},
}

// quick are the steps of a change that is being made.
var quick = slices.Concat(fast, []step{
	{"lint", "golangci-lint has no objection to the packages that were changed", lintChanged},
	{"vet", "go vet of the packages that were changed, and of what imports them", quickly("vet")},
	{"test", "their short tests", quickly("test", "-short")},
})

var fixes = []step{{"format", "format with gofumpt", fixFormat}}

// together lets one package of tests more run than there are processors, as some of them wait.
var together = "-p=" + strconv.Itoa(runtime.NumCPU()+1)

// racing are the packages that start goroutines, themselves or in their tests, and those below
// them, whose pointers the race detector checks too.
var racing = []string{
	"./unsafeutil", "./buffer/...", "./layout/...", "./manager", "./systems/...", "./world/...",
	"./world/shard/...", "./cmd/flatecs", "./cmd/render/soft", "./cmd/render/term", "./cmd/shard/...",
	"./cmd/web/...", "./cmd/examples/room",
}

// soon has a process under the race detector end at once, not a second later.
var soon = []string{"GORACE=atexit_sleep_ms=20"}

// goTest runs tests whose sources other steps vet.
func goTest(env []string, args ...string) func(*check) error {
	return func(c *check) error {
		return c.command(".", env, append([]string{"go", "test", together, "-vet=off"}, args...)...)
	}
}

// allTests runs random lives at length. Without cgo, as .ci/bare, whose results the go command has.
func allTests(tags string) func(*check) error {
	return goTest([]string{"FLATECS_FULL=1", "CGO_ENABLED=0"}, tags, "work")
}

func checkLaws(c *check) error {
	return c.command("cmd", nil, "go", "test", "-count=1", "-run=^TestLaw", "./check")
}

func checkFused(c *check) error {
	return c.command("cmd", []string{"FLATECS_FULL=1"}, "go", "test", "-run=^TestFused", "./check")
}

// checkVet leaves out this host, whose packages the linter vets.
func checkVet(c *check) error {
	var errs []error
	for _, host := range [][]string{
		{"GOOS=linux", "GOARCH=arm64"},
		{"GOOS=js", "GOARCH=wasm"},
		{"GOOS=windows", "GOARCH=amd64"},
		{"GOOS=darwin", "GOARCH=arm64"},
	} {
		errs = append(errs, c.command(".", host, "go", "vet", "./...", "./cmd/..."))
	}
	return errors.Join(append(errs,
		c.command(".", nil, "go", "vet", "-tags=purego", "./buffer/..."))...)
}

// checkMisuse tests the vet for users, and runs it over everything that its own users would write.
func checkMisuse(c *check) error {
	dir, err := os.MkdirTemp("", "flatecs-vet")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	tool := filepath.Join(dir, "vet.exe")
	if err := c.command(vetModule, nil, "go", "build", "-o", tool, "."); err != nil {
		return err
	}
	return errors.Join(
		// The packages that the tests look at are no input of theirs to the go command.
		c.command(vetModule, nil, "go", "test", "-count=1", "./..."),
		c.command(".", nil, "go", "vet", "-vettool="+tool, "work"),
		c.command(windowModule, inBrowsers, "go", "vet", "-vettool="+tool, "./..."),
	)
}

// inBrowsers is where Ebitengine needs nothing but Go.
var inBrowsers = []string{"GOOS=js", "GOARCH=wasm"}

func checkModules(c *check) error {
	return errors.Join(
		c.command(toolsModule, []string{"GOWORK=off"}, "go", "test", "./..."),
		c.command(arrowModule, nil, "go", "test", "./..."),
		c.command(windowModule, inBrowsers, "go", "build", "-o", os.DevNull, "./..."),
		c.command(windowModule, nil, "go", "test", "./..."),
	)
}

// checkRelease uses the modules as those do who have no checkout.
func checkRelease(c *check) error {
	return c.command(toolsModule, []string{"GOWORK=off"},
		"go", "test", "-count=1", "-timeout=30m", "-tags=tools", "-run=Rehearsed", "./release")
}

func checkPages(c *check) error {
	changed, err := c.changedToday()
	if err != nil || !changed("cmd/") && !changed("world/inspect/") {
		return err
	}
	return errors.Join(checkBrowser(c), checkWindow(c))
}

// checkBrowser leaves pictures in $TMPDIR/flatecs-shots.
func checkBrowser(c *check) error {
	return c.command("cmd", nil, "go", "test", "-count=1", "-tags=browser", "-timeout=20m", "-p=1",
		"./web/server", "./site")
}

func checkWindow(c *check) error {
	return c.command(windowModule, nil, "go", "test", "-count=1", "-tags=xvfb", "./...")
}

func checkMutants(c *check) error {
	var errs []error
	for _, of := range []string{"gameobject", "manager", "systems", "world/save", "world/pack"} {
		errs = append(errs, c.command(".", nil, "go", "run", "./cmd/mutate", "-sample=20",
			"-package", of))
	}
	return errors.Join(errs...)
}

// checkFuzz runs every fuzz target of the workspace.
func checkFuzz(c *check) error {
	list, err := c.ask(".", "git", "grep", "-h", "-o", "-E", "^func Fuzz[A-Za-z0-9]+", "--",
		"*_test.go")
	if err != nil {
		return err
	}
	var errs []error
	for name := range strings.FieldsSeq(strings.ReplaceAll(list, "func ", "")) {
		file, err := c.ask(".", "git", "grep", "-l", "^func "+name+"(", "--", "*_test.go")
		if err == nil {
			err = c.command(filepath.Dir(strings.TrimSpace(file)), nil, "go", "test", "-run=^$",
				"-fuzz=^"+name+"$", "-fuzztime="+c.fuzz.String(), "-fuzzminimizetime=20x", ".")
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
