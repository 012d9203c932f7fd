package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

const (
	toolsModule = "cmd/tools" // pins the tools
	vetModule   = "cmd/vet"   // looks for misuse of worlds

	windowModule = "cmd/ebiten" // shows a world by Ebitengine
	arrowModule  = "cmd/arrow"  // writes worlds and tables as Apache Arrow
)

var noWorkspace = []string{"GOWORK=off"}

// fast are the steps that take no time.
var fast = []step{
	{"format", "gofumpt finds nothing to change", checkFormat},
	{"laws", "imports, unsafe, assembly and top-level entries keep the laws", rule(brokenLaws)},
	{"style", "no file over 400 lines, no function over 70", rule(overlong)},
	{"order", "no comparison returns a difference, which 32 bits may cut", rule(differences)},
	{"docs", "every package and public name has a comment, each figure a command", rule(docs)},
}

var steps = append(slices.Clone(fast), []step{
	{"tidy", "go.mod and go.sum of each module are tidy", checkTidy},
	{"vet", "go vet, with and without ecsdebug", checkVet},
	{"misuse", "cmd/vet finds what its tests want, and no misuse of worlds here", checkMisuse},
	{"cross", "arm64, wasm and amd64 without assembly compile", checkCross},
	{"window", "cmd/ebiten compiles for browsers, and its tests pass", checkWindow},
	{"arrow", "the tests of cmd/arrow pass", checkArrow},
	{"fused", "no product is fused with a sum in what decides a world's bytes", checkFused},
	{
		"test", "the tests, at length, with those that need python3, gcc and node",
		goTest(withTools, "work"),
	},
	{"debug", "the tests under ecsdebug, at length", goTest(vetted, "-tags=ecsdebug", "work")},
	{"release", "short tests, States unchecked", goTest("-tags=ecsrelease", "-short", "./...")},
	{
		"purego", "the root's tests without assembly",
		test(everyDay, vetted, "-tags=purego", "./..."),
	},
	{
		"checkptr", "the root's tests, pointers checked",
		test(everyDay, vetted, "-gcflags=all=-d=checkptr", "./..."),
	},
	{"hosts", "the short tests for amd64 v3 and 386; on arm64 and wasm by emulators", checkHosts},
	{
		"race", "the short tests under the race detector, but for long ones of one goroutine",
		test(soon, vetted, "-race", "-short",
			"-skip=^TestAllocs|^TestGoldenDigests$|^TestAnotherSeed", "work"),
	},
	{"bench", "each benchmark runs once", goTest("-run=^$", "-bench=.", "-benchtime=1x", "work")},
	{"allocs", "what must not allocate does not", checkAllocs},
	{"generated", "assembly and forwards are what their generators write", checkGenerated},
	{"rehearsal", "the modules, packed as a release, do what the README says", checkRelease},
	{"fuzz", "a few seconds of each fuzz target find nothing", checkFuzz},
	{"lint", "golangci-lint has no objection, with and without ecsdebug", checkLint},
}...)

// apart are steps that are done only when they are named.
var apart = []step{
	{"mutants", "tests see each small change of a package; only when named", checkMutants},
	{"coverage", "notes the share of statements that tests run; only when named", checkCoverage},
}

var fixes = []step{
	{"format", "format with gofumpt", fixFormat},
}

// rule makes a step of a function that lists what is wrong with the tree.
func rule(list func(*tree) []string) func(*check) error {
	return func(c *check) error { return c.problems(list(c.tree)) }
}

// each runs f for every module that has something to compile, whatever it says of the others.
func (c *check) each(f func(module) error) error {
	var errs []error
	for _, m := range c.modules {
		if c.hasSources(m) {
			errs = append(errs, f(m))
		}
	}
	return errors.Join(errs...)
}

// workspace returns the environment in which a module's packages are found: a go.work, its own or
// the tree's, says where the other modules of the tree are. Only the tools need none of them.
func workspace(moduleDir string) []string {
	if moduleDir == toolsModule {
		return noWorkspace
	}
	return nil
}

// tool builds a pinned tool if need be and returns where it is.
func (c *check) tool(name string) (string, error) {
	cmd := exec.Command("go", "tool", "-n", name)
	cmd.Dir = c.abs(toolsModule)
	cmd.Env = append(cmd.Environ(), noWorkspace...)
	cmd.Stderr = &c.out
	file, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s, pinned in %s: %w", name, toolsModule, err)
	}
	return strings.TrimSpace(string(file)), nil
}

func checkFormat(c *check) error {
	gofumpt, err := c.tool("gofumpt")
	if err != nil {
		return err
	}
	if err := c.command(".", nil, gofumpt, "-d", "."); err != nil {
		return fmt.Errorf("not formatted; go run ./cmd/check -fix: %w", err)
	}
	return nil
}

// checkGenerated runs the tests of cmd/tools, the generators' among them; those of the forwards and
// of the drawings of memory are among the workspace's.
func checkGenerated(c *check) error {
	return c.command(toolsModule, noWorkspace, "go", "test", "./...")
}

// checkRelease uses the modules as those do who have no checkout.
func checkRelease(c *check) error {
	return c.command(toolsModule, noWorkspace,
		"go", "test", "-count=1", "-timeout=30m", withTools, "-run=Rehearsed", "./release")
}

func fixFormat(c *check) error {
	gofumpt, err := c.tool("gofumpt")
	if err != nil {
		return err
	}
	return c.command(".", nil, gofumpt, "-w", ".")
}

func checkTidy(c *check) error {
	var errs []error
	for _, m := range c.modules {
		errs = append(errs, c.tidy(m))
	}
	return errors.Join(errs...)
}

// tidy looks at a copy of a module's go.mod that finds the tree's other modules: go mod tidy reads
// no go.work.
func (c *check) tidy(m module) error {
	dir, err := os.MkdirTemp("", "flatecs-tidy")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	text, err := os.ReadFile(c.abs(path.Join(m.dir, "go.mod")))
	if err != nil {
		return err
	}
	sums, err := os.ReadFile(c.abs(path.Join(m.dir, "go.sum")))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, other := range c.modules {
		if other == m {
			continue
		}
		text = fmt.Appendf(text, "\nreplace %s => %q\n", other.path, c.abs(other.dir))
	}
	copied := filepath.Join(dir, "tidy.mod")
	err = errors.Join(os.WriteFile(copied, text, 0o600),
		os.WriteFile(filepath.Join(dir, "tidy.sum"), sums, 0o600))
	if err != nil {
		return err
	}
	return c.command(m.dir, noWorkspace, "go", "mod", "tidy", "-diff", "-modfile="+copied)
}

func checkVet(c *check) error {
	return errors.Join(
		c.command(".", nil, "go", "vet", "work"),
		c.command(".", nil, "go", "vet", "-tags=ecsdebug", "work"),
	)
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

// checkWindow leaves out what takes a screen; .ci/run has it.
func checkWindow(c *check) error {
	return errors.Join(
		c.command(windowModule, inBrowsers, "go", "build", "-o", os.DevNull, "./..."),
		c.command(windowModule, inBrowsers, "go", "vet", "./..."),
		c.command(windowModule, nil, "go", "test", "./..."),
	)
}

func checkArrow(c *check) error {
	return errors.Join(
		c.command(arrowModule, nil, "go", "vet", "./..."),
		c.command(arrowModule, nil, "go", "test", "./..."),
	)
}

// checkCross compiles for the other hosts; vet, besides, reads their tests and assembly.
func checkCross(c *check) error {
	var errs []error
	for _, host := range []struct{ os, arch, tags string }{
		{"linux", "arm64", ""},
		{"js", "wasm", ""},
		{"linux", "amd64", "purego"},
	} {
		env := []string{"GOOS=" + host.os, "GOARCH=" + host.arch}
		tags := "-tags=" + host.tags
		for _, dir := range []string{".", "cmd"} {
			errs = append(errs,
				c.command(dir, env,
					"go", "build", tags, "-buildvcs=false", "-o", os.DevNull, "./..."),
				c.command(dir, env, "go", "vet", tags, "./..."))
		}
	}
	return errors.Join(errs...)
}

// atLength makes tests of random lives take sizes that are too long for every day, but for those
// that are run with -short.
var atLength = []string{"FLATECS_FULL=1"}

// together lets one package of tests more run than there are processors, as some of them wait.
var together = "-p=" + strconv.Itoa(runtime.NumCPU()+1)

// withTools adds the tests that need a program that is not Go's. They fail where it is missing.
const withTools = "-tags=tools"

// vetted is for tests whose sources are those of the steps vet and cross, or of .ci/run's tests.
const vetted = "-vet=off"

// everyDay takes the sizes of every day: the steps before it took the long ones.
var everyDay []string

// soon has a process under the race detector end at once, not a second later.
var soon = []string{"GORACE=atexit_sleep_ms=20"}

func goTest(args ...string) func(*check) error { return test(atLength, args...) }

// test runs tests in an environment.
func test(env []string, args ...string) func(*check) error {
	return func(c *check) error {
		return c.command(".", env, append([]string{"go", "test", together}, args...)...)
	}
}

func checkAllocs(c *check) error {
	if len(targets(c.tree, "TestAlloc")) == 0 {
		return errors.New("no TestAlloc… counts allocations")
	}
	return c.command(".", nil, "go", "test", "-count=1", "-run=Alloc", "./...")
}

func checkLint(c *check) error {
	linter, err := c.tool("golangci-lint")
	if err != nil {
		return err
	}
	return c.each(func(m module) error {
		env := workspace(m.dir)
		if err := c.command(m.dir, env, linter, "run", "--build-tags=tools", "./..."); err != nil {
			return err
		}
		return c.command(m.dir, env, linter, "run", "--build-tags=ecsdebug", "./...")
	})
}
