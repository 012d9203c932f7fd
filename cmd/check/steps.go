package main

import (
	"runtime"
	"strconv"
)

// Modules that the tree's go.work leaves out, because they are heavy.
const (
	toolsModule  = "cmd/tools"  // pins the tools
	vetModule    = "cmd/vet"    // looks for misuse of worlds
	windowModule = "cmd/ebiten" // shows a world by Ebitengine
	arrowModule  = "cmd/arrow"  // writes worlds and tables as Apache Arrow
)

// Variables of commands. All others run with CGO_ENABLED=0, as .ci/bare does: with it, whatever
// tests by testify is compiled again, since testify imports net.
const (
	cgo   = "CGO_ENABLED=1 "
	raced = cgo + "GORACE=atexit_sleep_ms=20" // a process under the race detector ends at once
	full  = "FLATECS_FULL=1"                  // random lives at length
	js    = "GOOS=js GOARCH=wasm"             // also where Ebitengine needs nothing but Go
	arm   = "GOOS=linux GOARCH=arm64"
)

const (
	lintAll = "$LINTER run --build-tags=tools "
	qemu    = "-exec=qemu-aarch64-static "                       // Debian's qemu-user-static
	node    = "-exec=$GOROOT/lib/wasm/go_js_wasm_exec "          // Go's own, over Node.js
	vetTool = "go build -o $TEMP/vet.exe ."                      // of vetModule
	digests = "-run=Digests ./cmd/scene/gallery ./cmd/scene/abm" // the same on every host

	// needTools are the tests whose files have the tag tools.
	needTools = "^TestRacesOnLargeWorldsAreReported$|^TestPythonReadsThePositions$|" +
		"^TestOtherLanguagesReadAColumn$ ./world ./world/save ./world/share"

	// alike are random lives of whole numbers, which 386 and amd64 see. Where a processor is
	// imitated, they would take most of the time.
	alike = "-skip=Against(Model|Mirror|Calls|AMap)$|BruteForce|OtherBytes|AnyBytes|" +
		"AsCountedRoom|NothingFailsNamelessly|RowsMove "

	// decisive are the packages whose arithmetic decides what is in a world.
	decisive = "./layout ./buffer/... ./gameobject ./manager ./systems/... ./world " +
		"./world/exact/... ./world/index ./world/lab ./world/network ./world/pose ./world/random " +
		"./world/session ./world/space ./cmd/scene/..."

	// knowDebug are the packages that have files for ecsdebug, below "systems" one by one.
	knowDebug = "./unsafeutil ./buffer ./manager ./systems ./systems/internal/order " +
		"./systems/internal/walk ./world ./world/list "
)

// goTest runs tests whose sources other steps vet, one package more at once than there are
// processors, as some of them wait.
var goTest = "go test -vet=off -p=" + strconv.Itoa(runtime.NumCPU()+1) + " "

// laws are the rules that no linter knows, in seconds.
var laws = step{"laws", "layers, unsafe, assembly, top-level entries; what pages show", nil, lines{
	{"cmd", "", "go test -count=1 -run=^TestLaw ./check"},
}}

// gate is what every change has to pass. What costs much is run where it finds what no other step
// does: a tag in the packages whose files it selects and in those that use them most, a host in
// those whose arithmetic or files are its own. Nightly runs all of it everywhere.
var gate = []step{
	laws,
	{"tidy", "go.mod and go.sum of each module are tidy", nil, lines{
		{"cmd", "FLATECS_TIDY=1", "go test -count=1 -run=^TestTidy ./check"},
	}},
	{"lint", "format, length, comments and imports; two sets of tags", checkLint, lines{
		{".", "", "$LINTER run --build-tags=ecsdebug " + knowDebug},
	}},
	{"vet", "go vet for each other host, of packages with other files there", checkVet, lines{
		{".", "", "go vet -tags=purego ./buffer/..."},
	}},
	{"misuse", "cmd/vet finds what its tests want, and no misuse here", nil, lines{
		{vetModule, "", vetTool},
		{vetModule, "", goTest + "-count=1 ./..."}, // what the tests look at is no input of theirs
		{".", "", "$TEMP/vet.exe work"},
		{windowModule, js, "$TEMP/vet.exe ./..."},
	}},
	{"fused", "no product is fused with a sum where bytes are decided", nil, lines{
		{vetModule, "", vetTool},
		{".", "", "$TEMP/vet.exe fused -arch=arm64 " + decisive},
		{".", "", "$TEMP/vet.exe fused -arch=amd64v3 ./buffer/kernel ./world/exact/..."},
	}},
	// Without a tag the tests of the library are those of .ci/bare, which Go need not run again.
	{"test", "all tests at length, also those that need other programs", nil, lines{
		{".", full, goTest + "work"},
		{".", full, goTest + "-tags=tools -run=" + needTools},
	}},
	{"modules", "the tests of the modules outside go.work", nil, lines{
		{toolsModule, "", goTest + "./..."},
		{arrowModule, "", goTest + "./..."},
		{windowModule, js, "go build -o $TEMP/ ./..."},
		{windowModule, cgo, goTest + "./..."},
	}},
	{"debug", "short tests under ecsdebug of what knows it, and what uses that most", nil, lines{
		{".", "", goTest + "-tags=ecsdebug -short " + knowDebug + "./systems/internal/kin " +
			"./systems/internal/structure ./systems/tool ./world/delta ./world/index " +
			"./world/replica ./world/schedule ./world/session ./world/space"},
	}},
	{"unchecked", "short tests under ecsrelease, States unchecked", nil, lines{
		{".", "", goTest + "-tags=ecsrelease -short ./systems ./world ./world/delta " +
			"./world/internal/program ./world/memory ./world/share"},
	}},
	// The step race, and 386, wasm and arm64, have no assembly either.
	{"purego", "short tests of the buffers without assembly", nil, lines{
		{".", "", goTest + "-tags=purego -short ./buffer/..."},
	}},
	{"hosts", "short tests for 386, whose int has 32 bits, and on arm64 and wasm", check386, lines{
		{".", js, goTest + node + "-short " + alike + "./buffer/... ./systems/internal/work " +
			"./world/exact/... ./world/random"},
		{".", js, goTest + node + "-short " + digests},
		{".", arm, goTest + qemu + "-short " + alike + "./buffer/... ./world/exact/..."},
		{".", arm, goTest + qemu + "-short -run=Digests ./cmd/scene/abm"},
	}},
	{"race", "the short tests under the race detector, where goroutines are", checkRace, nil},
}

// seldom is part of nightly, and of the gate where something of its paths differs from what landed.
// Pages leave pictures in $TMPDIR/flatecs-shots.
var seldom = []seldomStep{
	{":(glob)**/go.mod README.md cmd/tools", step{
		"release", "the modules, as a release packs them, do what the README says", nil, lines{
			{toolsModule, cgo, goTest + "-count=1 -timeout=30m -tags=tools -run=Rehearsed " +
				"./release"},
		},
	}},
	{"cmd/web cmd/scene world/inspect cmd/render/soft cmd/render/webgl " + renderer, step{
		"browser", "the pages of scenes and of the inspector, in a browser", nil, lines{
			{"cmd", "", browse + "./web/server"},
		},
	}},
	{"cmd/arena cmd/site cmd/web/browse docs world/link", step{
		"sites", "the arena's pages and the site, in a browser", nil, lines{
			{"cmd", "", browse + "./site ./arena/site"},
		},
	}},
	{"cmd/ebiten " + renderer, step{
		"window", "the tests in a window", nil, lines{
			{windowModule, cgo, "go test -count=1 -tags=xvfb ./..."},
		},
	}},
}

const (
	renderer = ":(glob)cmd/render/*.go"
	browse   = "go test -vet=off -count=1 -tags=browser -timeout=20m -p=1 "
)

// wholes are packages of the heart, and those whose arithmetic decides.
const wholes = "./layout ./gameobject ./manager ./world ./world/lab ./world/network ./world/pose " +
	"./world/random ./world/space "

// nightly is what takes hours.
var nightly = []step{
	{"length", "the tests under ecsdebug, at length", nil, lines{
		{".", full, goTest + "-tags=ecsdebug work"},
	}},
	{"tags", "short tests of all that a tag may change", nil, lines{
		{".", "", goTest + "-tags=ecsrelease -short ./manager ./systems/... ./world " +
			"./world/memory ./world/schedule ./world/share"},
		{".", "", goTest + "-tags=purego -short ./manager ./systems ./world/delta"},
		{".", "", goTest + "-tags=purego -short " + digests},
	}},
	{"elsewhere", "what decides a world's bytes, on each host; all is vetted for each", nil, lines{
		{".", js, "go vet ./... ./cmd/... ./world/link/web ./world/link/webtransport"},
		{".", "GOOS=windows GOARCH=amd64", "go vet ./... ./cmd/..."},
		{".", "GOOS=darwin GOARCH=arm64", "go vet ./... ./cmd/..."},
		{".", js, goTest + node + "-short " + alike + wholes + "./systems/..."},
		{".", arm, goTest + qemu + "-short " + alike + wholes},
		{".", arm, goTest + qemu + "-short " + digests},
		{".", "GOOS=linux GOARCH=386", goTest + "-short ./world/family ./world/inspect " +
			"./world/lab ./world/network ./world/space ./cmd/scene/..."},
	}},
	{"races", "the short tests of all of the library under the race detector", nil, lines{
		{".", raced, goTest + "-race -short " + notRaced + "./..."},
	}},
	{"machines", "no product is fused on any machine", nil, lines{
		{vetModule, "", vetTool},
		{".", "", "$TEMP/vet.exe fused " + decisive},
	}},
	{"exact", "functions of world/exact are right for every argument", nil, lines{
		{".", "", "go test -count=1 -tags=exhaustive -timeout=0 " +
			"-run=^TestEveryArgument|^TestManyPairs ./world/exact"},
	}},
	{"sequences", "each few operations on three objects: a relation of them, walks", nil, lines{
		{"systems/internal", "", goTest + "-timeout=30m -run=^TestEverySequence$ ./kin -length=4"},
		{"systems/internal", "", goTest + "-timeout=30m -run=^TestEverySequence$ ./walk -length=3"},
	}},
	{"bench", "each benchmark runs once", nil, lines{
		{".", "", goTest + "-run=^$ -bench=. -benchtime=1x work"},
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
