package main

import (
	"errors"
	"fmt"
	"path"
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

const (
	js      = "GOOS=js GOARCH=wasm"          // also where Ebitengine needs nothing but Go
	full    = "FLATECS_FULL=1 CGO_ENABLED=0" // random lives at length; without cgo, as .ci/bare
	soon    = "GORACE=atexit_sleep_ms=20"    // a process under the race detector ends at once
	lintAll = "$LINTER run --build-tags=tools "
	qemu    = "-exec=qemu-aarch64-static" // Debian's qemu-user-static

	node = "-exec=$GOROOT/lib/wasm/go_js_wasm_exec" // Go's own, over Node.js

	// digests are those that every host must come to.
	digests = "-short -run=Digests ./cmd/scene/gallery ./cmd/scene/abm"

	// alike are random lives of whole numbers, which 386 and amd64 see. Where a processor is
	// imitated, they would take most of the time.
	alike = "-short -skip=Against(Model|Mirror|Calls|AMap)$|BruteForce|OtherBytes|AnyBytes|" +
		"AsCountedRoom|NothingFailsNamelessly|RowsMove "
)

// decisive are the packages whose arithmetic decides what is in a world.
const decisive = "./layout ./buffer/... ./gameobject ./manager ./systems/... ./world " +
	"./world/exact/... ./world/index ./world/lab ./world/network ./world/pose ./world/random " +
	"./world/session ./world/space ./cmd/scene/..."

// goTest runs tests whose sources other steps vet, one package more at once than there are
// processors, as some of them wait.
var goTest = "go test -vet=off -p=" + strconv.Itoa(runtime.NumCPU()+1) + " "

// ownOfDarwin are the packages with files that neither linux nor windows has, and a program that
// imports most of the others.
const ownOfDarwin = "./buffer/... ./world/hand ./world/inspect ./world/internal/mapping " +
	"./world/save ./world/share ./world/link/udp ./cmd/flatecs ./cmd/render/term"

// racing are the packages that start goroutines, themselves or in their tests, and those below
// them, whose pointers the race detector checks too.
var racing = strings.Fields("./unsafeutil ./buffer ./layout/... ./manager ./systems/... " +
	"./world/... ./world/link/udp ./world/link/web ./world/link/webtransport ./world/shard/... " +
	"./cmd/flatecs ./cmd/arena/... ./cmd/render/soft ./cmd/render/term ./cmd/shard/... " +
	"./cmd/web/... ./cmd/examples/arena ./cmd/examples/room")

// laws are the rules that no linter knows, in seconds.
var laws = step{"laws", "layers, unsafe, assembly, top-level entries; what pages show", nil, lines{
	{"cmd", "", "go test -count=1 -run=^TestLaw ./check"},
}}

// gate is what every change has to pass. A tag is tested in the packages whose files it selects, or
// whose behaviour it changes.
var gate = []step{
	laws,
	{"tidy", "go.mod and go.sum of each module are tidy", nil, lines{
		{"cmd", "FLATECS_TIDY=1", "go test -count=1 -run=^TestTidy ./check"},
	}},
	{"lint", "format, length, comments and imports; two sets of tags", checkLint, lines{
		{".", "", "$LINTER run --build-tags=ecsdebug ./buffer/... ./manager ./systems/... " +
			"./world ./world/memory ./world/share"},
	}},
	{"vet", "go vet for each other host; the linter vets this one", nil, lines{
		{".", "GOOS=linux GOARCH=arm64", "go vet ./buffer/..."}, // no others know it
		{".", js, "go vet ./... ./cmd/... ./world/link/web ./world/link/webtransport"},
		{".", "GOOS=windows GOARCH=amd64", "go vet ./... ./cmd/..."},
		{".", "GOOS=darwin GOARCH=arm64", "go vet " + ownOfDarwin},
		{".", "", "go vet -tags=purego ./buffer/..."},
	}},
	{"misuse", "cmd/vet finds what its tests want, and no misuse here", nil, lines{
		{vetModule, "", "go build -o $TEMP/vet.exe ."},
		{vetModule, "", "go test -count=1 ./..."}, // what the tests look at is no input of theirs
		{".", "", "$TEMP/vet.exe work"},
		{windowModule, js, "$TEMP/vet.exe ./..."},
	}},
	{"fused", "no product is fused with a sum where bytes are decided", nil, lines{
		{vetModule, "", "go build -o $TEMP/vet.exe ."},
		{".", "", "$TEMP/vet.exe fused -arch=arm64 " + decisive},
		{".", "", "$TEMP/vet.exe fused -arch=amd64v3 ./buffer/kernel ./world/exact/..."},
	}},
	{"test", "all tests at length, also those that need other programs", nil, lines{
		{".", full, goTest + "-tags=tools work"},
	}},
	{"modules", "the tests of the modules outside go.work", nil, lines{
		{toolsModule, "", "go test ./..."},
		{arrowModule, "", "go test ./..."},
		{windowModule, js, "go build -o $TEMP/ ./..."},
		{windowModule, "", "go test ./..."},
	}},
	{"release", "the modules, as a release packs them, do what the README says", nil, lines{
		{toolsModule, "", "go test -count=1 -timeout=30m -tags=tools -run=Rehearsed ./release"},
	}},
	{"debug", "the library's short tests under ecsdebug", nil, lines{
		{".", "", goTest + "-tags=ecsdebug -short ./..."},
	}},
	{"unchecked", "short tests under ecsrelease, States unchecked", nil, lines{
		{".", "", goTest + "-tags=ecsrelease -short ./manager ./systems/... ./world " +
			"./world/memory ./world/schedule ./world/share"},
	}},
	{"purego", "short tests without assembly", nil, lines{
		{".", "", goTest + "-tags=purego -short ./buffer/... ./manager ./systems " +
			"./world/delta"},
		{".", "", goTest + "-tags=purego " + digests},
	}},
	{"hosts", "short tests for 386, whose int has 32 bits, and on arm64 and wasm", check386, lines{
		{".", js, goTest + node + " " + alike + "./layout ./buffer/... ./gameobject ./manager " +
			"./systems/... ./world ./world/exact/... ./world/lab ./world/network ./world/pose " +
			"./world/random ./world/space"},
		{".", js, goTest + node + " " + digests},
		{".", "GOOS=linux GOARCH=arm64", goTest + qemu + " " + alike + "./layout ./buffer/... " +
			"./gameobject ./manager ./world ./world/exact/... ./world/lab ./world/network " +
			"./world/pose ./world/random ./world/space"},
		{".", "GOOS=linux GOARCH=arm64", goTest + qemu + " " + digests},
	}},
	{"race", "the short tests under the race detector, where goroutines are", nil, lines{
		{".", soon, goTest + "-race -short " +
			"-skip=^TestAllocs|^TestGoldenDigests$|^TestAnotherSeed " + strings.Join(racing, " ")},
	}},
	{"pages", "pages and windows, if what they show changed in a day", checkPages, nil},
}

// nightly is what takes hours. Pages leave pictures in $TMPDIR/flatecs-shots.
var nightly = []step{
	{"length", "the tests under ecsdebug, at length", nil, lines{
		{".", full, goTest + "-tags=ecsdebug work"},
	}},
	{"machines", "no product is fused on any machine", nil, lines{
		{vetModule, "", "go build -o $TEMP/vet.exe ."},
		{".", "", "$TEMP/vet.exe fused " + decisive},
	}},
	{"exact", "functions of world/exact are right for every argument", nil, lines{
		{".", "", "go test -count=1 -tags=exhaustive -timeout=0 " +
			"-run=^TestEveryArgument|^TestManyPairs ./world/exact"},
	}},
	{"sequences", "each few operations on three objects: a relation of them, walks", nil, lines{
		{".", "", goTest + "-timeout=30m -run=^TestEverySequence$ ./systems/internal/kin " +
			"-length=4"},
		{".", "", goTest + "-timeout=30m -run=^TestEverySequence$ ./systems/internal/walk " +
			"-length=3"},
	}},
	{"bench", "each benchmark runs once", nil, lines{
		{".", "", goTest + "-run=^$ -bench=. -benchtime=1x work"},
	}},
	{"browser", "the tests in a browser", nil, lines{
		{"cmd", "", "go test -count=1 -tags=browser -timeout=20m -p=1 " +
			"./web/server ./site ./arena/site"},
	}},
	{"window", "the tests in a window", nil, lines{
		{windowModule, "", "go test -count=1 -tags=xvfb ./..."},
	}},
	{"fuzz", "each fuzz target finds nothing for a while", checkFuzz, nil},
	{"mutants", "tests see small changes of the heart", nil, lines{
		{".", "", "go run ./cmd/mutate -sample=20 -package gameobject"},
		{".", "", "go run ./cmd/mutate -sample=20 -package manager"},
		{".", "", "go run ./cmd/mutate -sample=20 -package systems"},
		{".", "", "go run ./cmd/mutate -sample=20 -package world/save"},
		{".", "", "go run ./cmd/mutate -sample=20 -package world/pack"},
	}},
}

// check386 tests for 386. A kernel that runs no programs of 32 bits leaves it to an emulator, which
// crashes when Go interrupts goroutines, and has no addresses for large worlds: there, all is
// compiled and vetted, and what needs little is run.
func check386(c *check) error {
	const env = "GOOS=linux GOARCH=386 CGO_ENABLED=0"
	const small = "./layout ./gameobject ./manager ./world/exact/... ./world/random "
	const all = small + "./buffer ./systems/... ./world ./world/delta ./world/family " +
		"./world/index ./world/inspect ./world/lab ./world/network ./world/pack ./world/save " +
		"./world/space ./cmd/scene/..."
	if _, err := c.ask(".", env, "go test -run=^$ ./layout/mask"); err == nil {
		return c.command(line{".", env, goTest + "-short " + all})
	}
	return errors.Join(c.command(line{".", env, "go vet " + all}), c.command(line{
		".", env + " GODEBUG=asyncpreemptoff=1", goTest + "-short -exec=qemu-i386-static " + small,
	}))
}

// checkLint lints what is in go.work at once, since the modules are of the same packages, and each
// other module by itself.
func checkLint(c *check) error {
	modules, err := c.modules()
	inWork, err2 := c.ask(".", "", "go list -m -f={{.Dir}}")
	var together []string
	for _, dir := range modules {
		if slices.Contains(strings.Fields(inWork), filepath.Join(c.root, dir)) {
			together = append(together, "./"+path.Join(dir, "..."))
			continue
		}
		err = errors.Join(err, c.command(line{dir, "", lintAll + "./..."}))
	}
	all := line{".", "", lintAll + strings.Join(together, " ")}
	return errors.Join(err, err2, c.command(all))
}

func checkPages(c *check) error {
	changed, err := c.changedToday("cmd/ebiten cmd/render cmd/scene cmd/site cmd/web world/inspect")
	if !changed {
		return err
	}
	pages, err := choose(nightly, "browser,window")
	for _, s := range pages {
		err = errors.Join(err, c.do(s))
	}
	return err
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

// choose picks the steps that only names, in the table's order; an empty only picks all.
func choose(all []step, only string) ([]step, error) {
	if only == "" {
		return all, nil
	}
	names := strings.Split(only, ",")
	for _, name := range names {
		if !slices.ContainsFunc(all, func(s step) bool { return s.name == name }) {
			return nil, fmt.Errorf("check: no step is called %q; -list shows them", name)
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(s step) bool {
		return !slices.Contains(names, s.name)
	}), nil
}
