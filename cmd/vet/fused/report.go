package fused

import (
	"cmp"
	"fmt"
	"go/format"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"

	"github.com/flatecs/flatecs/cmd/vet/checks"
)

// A finding is a place and a message.
type finding struct {
	checks.Place
	text  string
	edits []edit
}

// An edit replaces some bytes of a finding's file.
type edit struct {
	from, to int
	text     string
}

func (f finding) String() string {
	file := f.File
	if dir, err := os.Getwd(); err == nil {
		if short, err := filepath.Rel(dir, file); err == nil && len(short) < len(file) {
			file = short
		}
	}
	return fmt.Sprintf("%s:%d:%d: %s", file, f.Line, f.Col, f.text)
}

// rounds limits how often fixed code is compiled again: a sum of n products needs n rounds.
const rounds = 100

// all compiles for all machines, fixes findings if requested, and returns the remaining ones.
func (l *look) all(list string, fix bool) ([]finding, error) {
	chosen, err := hostsOf(list)
	if err != nil {
		return nil, err
	}
	for range rounds {
		var builds []*build
		for _, arch := range chosen {
			b, err := l.build(arch)
			if err != nil || len(b.spots) == 0 { // check that the compiler reports spots
				err = cmp.Or(l.try(arch), err)
			}
			if err != nil {
				return nil, err
			}
			builds = append(builds, b)
		}
		found, err := l.findings(builds)
		if err != nil || !fix {
			return found, err
		}
		if mended, err := mend(found); err != nil || !mended {
			return found, err
		}
	}
	return nil, fmt.Errorf("products are still fused after %d rounds of conversions", rounds)
}

// findings returns the findings of the builds, by place.
func (l *look) findings(builds []*build) (found []finding, err error) {
	texts := textsOf(builds)
	for _, b := range builds {
		more, err := l.look(b, texts)
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	for at, text := range texts { // in generated code
		text = "a product and a sum are rounded once, by " + text
		found = append(found, finding{at, text, nil})
	}
	slices.SortFunc(found, func(a, b finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), a.Line-b.Line, a.Col-b.Col)
	})
	return found, nil
}

// textsOf returns the instructions at each place, and the machines that have them:
//
//	FMADDS (arm64, riscv64), FMADDF (loong64)
func textsOf(builds []*build) map[checks.Place]string {
	machines := map[checks.Place]map[string][]string{}
	for _, b := range builds {
		for _, s := range b.spots {
			if machines[s.at] == nil {
				machines[s.at] = map[string][]string{}
			}
			by := machines[s.at]
			names := b.names[fmt.Sprintf("%s:%d", s.inner.File, s.inner.Line)]
			name := cmp.Or(strings.Join(names, " or "), "an instruction")
			if !slices.Contains(by[name], b.arch) {
				by[name] = append(by[name], b.arch)
			}
		}
	}
	texts := map[checks.Place]string{}
	for at, by := range machines {
		var list []string
		for _, name := range slices.Sorted(maps.Keys(by)) {
			list = append(list, name+" ("+strings.Join(by[name], ", ")+")")
		}
		texts[at] = strings.Join(list, ", ")
	}
	return texts
}

// look finds the places in the packages of a build, and deletes them from by, even if allowed.
func (l *look) look(b *build, by map[checks.Place]string) (found []finding, err error) {
	if len(b.packages()) == 0 {
		return nil, nil
	}
	loaded, err := packages.Load(&packages.Config{
		Mode:    packages.LoadSyntax,
		Context: l.ctx, Dir: l.dir, Env: environ(b.arch),
		BuildFlags: []string{"-tags=" + l.tags},
	}, b.packages()...)
	if err != nil {
		return nil, err
	}
	for _, p := range loaded {
		if len(p.Errors) > 0 {
			return nil, p.Errors[0]
		}
		report := func(d analysis.Diagnostic) {
			at := p.Fset.PositionFor(d.Pos, false)
			place := checks.Place{File: at.Filename, Line: at.Line, Col: at.Column}
			f := finding{place, d.Message, nil}
			for _, fix := range d.SuggestedFixes {
				for _, e := range fix.TextEdits {
					from, to := p.Fset.PositionFor(e.Pos, false), p.Fset.PositionFor(e.End, false)
					f.edits = append(f.edits, edit{from.Offset, to.Offset, string(e.NewText)})
				}
			}
			found = append(found, f)
		}
		checks.Fused(&analysis.Pass{
			Fset: p.Fset, Files: p.Syntax, Pkg: p.Types, TypesInfo: p.TypesInfo, Report: report,
		}, by)
	}
	return found, nil
}

// mend writes edits to files, formats them, and reports whether there were any.
func mend(found []finding) (mended bool, err error) {
	files := map[string][]edit{}
	for _, f := range found {
		if len(f.edits) > 0 && !slices.ContainsFunc(f.edits, func(e edit) bool {
			return slices.ContainsFunc(files[f.File], func(there edit) bool {
				return e.from == there.from // the next round fixes it
			})
		}) {
			files[f.File] = append(files[f.File], f.edits...)
		}
	}
	for file, edits := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return false, err
		}
		slices.SortStableFunc(edits, func(a, b edit) int {
			return cmp.Compare(b.from, a.from)
		})
		for _, e := range edits {
			text = slices.Replace(text, e.from, e.to, []byte(e.text)...)
		}
		text, err = format.Source(text)
		if err != nil {
			return false, fmt.Errorf("%s: with conversions: %w", file, err)
		}
		if err := os.WriteFile(file, text, 0o666); err != nil {
			return false, err
		}
	}
	return len(files) > 0, nil
}
