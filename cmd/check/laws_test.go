package main

import (
	"path"
	"testing"
)

const head = "package p\n\nimport _ "

var lawCases = []struct {
	name string
	tree files
	want []string // one part of each problem, in order
}{
	{"nothing", files{}, nil},
	{"downwards", files{
		"world/a.go":             head + `"example.com/eco/systems"`,
		"world/save/a.go":        head + `"example.com/eco/world"`,
		"systems/a.go":           head + `"example.com/eco/manager"`,
		"manager/a.go":           head + `"example.com/eco/buffer/kernel"`,
		"buffer/a.go":            head + `"example.com/eco/unsafeutil"`,
		"cmd/flatecs/main.go":    head + `"example.com/eco/world/save"`,
		"cmd/flatecs/b.go":       head + `"example.com/eco/cmd/render"`,
		"bench/a.go":             head + `"github.com/some/peer"`,
		"buffer/kernel/a_test.s": "TEXT",
	}, nil},
	{
		"upwards",
		files{"layout/a.go": head + `"example.com/eco/world"`},
		[]string{"layout/a.go:3: layout may not import world; it may import: unsafeutil, gameobject"},
	},
	{
		"past a layer",
		files{"world/a.go": head + `"example.com/eco/manager"`},
		[]string{"world may not import manager"},
	},
	{
		"world below its part",
		files{"world/a.go": head + `"example.com/eco/world/save"`},
		[]string{"world may not import world/save"},
	},
	{
		"out of the leaf",
		files{"buffer/kernel/a.go": head + `"example.com/eco/unsafeutil"`},
		[]string{"buffer/kernel may not import unsafeutil"},
	},
	{
		"client below the portal",
		files{"cmd/flatecs/a.go": head + `"example.com/eco/buffer"`},
		[]string{"cmd/flatecs may not import buffer"},
	},
	{
		"bench to cmd",
		files{"bench/a.go": head + `"example.com/eco/cmd/render"`},
		[]string{"bench may not import cmd/render"},
	},
	{
		"root to cmd",
		files{"world/a.go": head + `"example.com/eco/cmd/render"`},
		[]string{"world may not import cmd/render"},
	},
	{
		"root test to cmd",
		files{"world/a_test.go": head + `"example.com/eco/cmd/render"`},
		[]string{"another module"},
	},
	{"tests look anywhere", files{"manager/a_test.go": head + `"example.com/eco/world"`}, nil},
	{
		"unknown package",
		files{"helpers/a.go": "package helpers"},
		[]string{"helpers: not a top-level entry", "package helpers has no layer"},
	},
	{
		"unknown package below a layer",
		files{"manager/pool/a.go": "package pool"},
		[]string{"package manager/pool has no layer"},
	},
	{
		"package at the root",
		files{"a.go": "package eco"},
		[]string{"a.go: not a top-level entry", "package . has no layer"},
	},
	{"unsafe at home", files{"unsafeutil/a.go": head + `"unsafe"`, "unsafeutil/b.go": head + `"unsafe"`}, nil},
	{
		"unsafe elsewhere",
		files{"buffer/a.go": head + `"unsafe"`},
		[]string{"buffer/a.go:3: unsafe is imported by unsafeutil alone"},
	},
	{
		"unsafe in a test",
		files{"buffer/a_test.go": head + `"unsafe"`},
		[]string{"unsafe is imported by unsafeutil alone"},
	},
	{"unsafe once in a module", files{"cmd/a.go": head + `"unsafe"`, "bench/a.go": head + `"unsafe"`}, nil},
	{
		"unsafe twice in a module",
		files{"cmd/a.go": head + `"unsafe"`, "cmd/b/b.go": head + `"unsafe"`},
		[]string{"cmd/b/b.go:3: module cmd keeps unsafe in one file, cmd/a.go"},
	},
	{"C", files{"cmd/a.go": head + `"C"`}, []string{"cmd/a.go:3: no C"}},
	{"C in a test", files{"world/a_test.go": head + `"C"`}, []string{"no C"}},
	{
		"assembly elsewhere",
		files{"buffer/add_amd64.s": "TEXT", "cmd/x/add_amd64.s": "TEXT"},
		[]string{"buffer/add_amd64.s: assembly lives in", "cmd/x/add_amd64.s"},
	},
	{
		"dependency",
		files{"layout/a.go": head + `"github.com/x448/float16"`},
		[]string{"github.com/x448/float16 is not among"},
	},
	{"compression", files{"world/save/a.go": head + `"github.com/klauspost/compress/zstd"`}, nil},
	{"quick compression", files{"world/delta/a.go": head + `"github.com/klauspost/compress/s2"`}, nil},
	{
		"compression elsewhere",
		files{"world/a.go": head + `"github.com/klauspost/compress/zstd"`},
		[]string{"github.com/klauspost/compress/zstd is not among"},
	},
	{"memory of the system", files{"buffer/a.go": head + `"golang.org/x/sys/windows"`}, nil},
	{
		"memory of the system elsewhere",
		files{"manager/a.go": head + `"golang.org/x/sys/unix"`},
		[]string{"golang.org/x/sys/unix is not among"},
	},
	{"features of the CPU", files{"buffer/kernel/a.go": head + `"golang.org/x/sys/cpu"`}, nil},
	{
		"features of the CPU elsewhere",
		files{"buffer/a.go": head + `"golang.org/x/sys/cpu"`},
		[]string{"golang.org/x/sys/cpu is not among"},
	},
	{
		"more of the system",
		files{"buffer/kernel/a.go": head + `"golang.org/x/sys/unix"`},
		[]string{"golang.org/x/sys/unix is not among"},
	},
	{"test dependency", files{"layout/a_test.go": head + `"github.com/stretchr/testify/require"`}, nil},
	{
		"look-alike test dependency",
		files{"layout/a_test.go": head + `"github.com/stretchr/testify2"`},
		[]string{"testify2 is not among"},
	},
	{
		"top level",
		files{"NOTES.md": "", "x.test": "", "bin/tool": "", ".gitignore": "*.test\n/bin/\n"},
		[]string{"NOTES.md: not a top-level entry"},
	},
	{"what does not parse", files{"world/a.go": "package"}, []string{"world/a.go:1"}},
	{"an empty file", files{"world/a.go": ""}, []string{"world/a.go:1"}},
}

func TestBrokenLaws(t *testing.T) {
	for _, c := range lawCases {
		t.Run(c.name, func(t *testing.T) {
			expect(t, brokenLaws(plant(t, c.tree)), c.want)
		})
	}
}

// A name in the law that no rule can meet would forbid or allow nothing.
func TestLayersNameOneAnother(t *testing.T) {
	for pkg, allowed := range mayImport {
		for _, name := range allowed {
			_, known := mayImport[name]
			_, covered := mayImport[path.Dir(name)+"/..."]
			if !known && !covered {
				t.Errorf("%s may import %s, which has no layer", pkg, name)
			}
		}
	}
}
