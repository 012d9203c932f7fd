package main

import (
	"errors"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// checkLint lints what is in go.work at once, since the modules are of the same packages, and each
// other module by itself.
func checkLint(c *check) error {
	modules, err := c.modules()
	inWork, err2 := c.ask(".", "", "go list -m -f={{.Dir}}")
	together := []string{lintAll}
	for _, dir := range modules {
		switch {
		case slices.Contains(strings.Fields(inWork), filepath.Join(c.root, dir)):
			together = append(together, "./"+path.Join(dir, "..."))
		case dir == windowModule:
			err = errors.Join(err, c.command(line{dir, cgo, lintAll + "./..."}))
		default:
			err = errors.Join(err, c.command(line{dir, "", lintAll + "./..."}))
		}
	}
	return errors.Join(err, err2, c.command(line{".", "", strings.Join(together, " ")}))
}

// checkVet vets for other hosts the packages whose files are not those of this one, which the
// linter vets. What only uses what a host lacks is left to nightly.
func checkVet(c *check) (err error) {
	const files = `go list -f={{.ImportPath}}{{"\t"}}{{.GoFiles}}{{.TestGoFiles}}{{.XTestGoFiles}} `
	for _, l := range (lines{
		{".", js, "./... ./cmd/... ./world/link/web ./world/link/webtransport"},
		{".", arm, "./..."},
		{".", "GOOS=windows GOARCH=amd64", "./... ./cmd/... ./world/link/udp"},
		{".", "GOOS=darwin GOARCH=arm64", "./... ./cmd/... ./world/link/udp"},
	}) {
		here, err2 := c.ask(".", "", files+l.words)
		there, err3 := c.ask(".", l.env, files+l.words)
		vet := []string{"go vet"}
		for listed := range strings.Lines(there) {
			if name, _, _ := strings.Cut(listed, "\t"); !strings.Contains(here, listed) {
				vet = append(vet, name)
			}
		}
		l.words = strings.Join(vet, " ")
		err = errors.Join(err, err2, err3, c.command(l))
	}
	return err
}

// check386 tests for 386. A kernel that runs no programs of 32 bits leaves it to an emulator, which
// crashes when Go interrupts goroutines, and has no addresses for large worlds: there, all is
// compiled and vetted, and what needs little is run.
func check386(c *check) error {
	const env = "GOOS=linux GOARCH=386"
	const small = "./layout ./gameobject ./manager ./world/exact/... ./world/random "
	const all = small + "./buffer ./systems/... ./world ./world/delta ./world/index " +
		"./world/pack ./world/replica ./world/save "
	if _, err := c.ask(".", env, "go test -run=^$ ./layout/mask"); err == nil {
		return errors.Join(c.command(line{".", env, goTest + "-short " + all}),
			c.command(line{".", env, goTest + "-short " + digests}))
	}
	return errors.Join(c.command(line{".", env, "go vet " + all}), c.command(line{
		".", env + " GODEBUG=asyncpreemptoff=1", goTest + "-short -exec=qemu-i386-static " + small,
	}))
}

// notRaced are tests that count allocations, or that a single goroutine works at for long.
const notRaced = "-skip=^TestAllocs|^TestGoldenDigests$|^TestAnotherSeed "

// checkRace tests what starts goroutines, itself or in its tests, and what of the library has work
// done by several. Elsewhere the race detector would find only wrong pointers, which the tests of
// these packages lead to the layers below, too.
func checkRace(c *check) error {
	racing, err := c.racing()
	test := line{".", raced, goTest + "-race -short " + notRaced + racing}
	return errors.Join(err, c.command(test))
}

// racing returns the packages of checkRace, the slowest first. Measurements are left to bench, and
// modules outside go.work to their own tests.
func (c *check) racing() (string, error) {
	list, err := c.ask(".", "", "git grep --untracked -lE "+
		`^[[:space:]]*go[[:space:]](func|[A-Za-z.]+\()|\.Go\(|^[^/]*[*.]Workers `+
		"-- *.go :!bench :!cmd/vet :!cmd/tools :!cmd/ebiten :!cmd/arrow :!cmd/scene :!cmd/portal "+
		":!testdata")
	dirs := map[string]bool{}
	for file := range strings.FieldsSeq(list) {
		dirs["./"+path.Dir(file)] = true
	}
	slow := []string{"./cmd/flatecs", "./world/shard", "./world/hand"}
	for _, dir := range slow {
		delete(dirs, dir)
	}
	return strings.Join(append(slow, slices.Sorted(maps.Keys(dirs))...), " "), err
}

// checkFuzz runs every fuzz target of the workspace.
func checkFuzz(c *check) error {
	list, err := c.ask(".", "", "git grep -o -E ^func[[:space:]]Fuzz[A-Za-z0-9]+ -- *_test.go")
	for target := range strings.Lines(list) { // file:func Name
		file, name, _ := strings.Cut(strings.TrimSpace(target), ":func ")
		err = errors.Join(err, c.command(line{filepath.Dir(file), "", "go test -run=^$ -fuzz=^" +
			name + "$ -fuzzminimizetime=20x -fuzztime=" + c.fuzz.String() + " ."}))
	}
	return err
}
