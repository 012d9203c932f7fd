package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// changed returns the files that differ from the last commit that the tree shares with where it was
// cloned from.
func (c *check) changed() ([]string, error) {
	differ, err := c.ask(".", "", "git diff --name-only --merge-base @{upstream}")
	if err != nil { // there is no such place
		differ, err = c.ask(".", "", "git diff --name-only HEAD")
	}
	unknown, err2 := c.ask(".", "", "git ls-files --others --exclude-standard")
	return strings.Fields(differ + unknown), errors.Join(err, err2)
}

// landedFile names the commit that has landed, at which all steps of seldom passed.
const landedFile = ".ci/landed"

// A seldomStep is left out where nothing below its paths, as git takes them, differs from what
// landed.
type seldomStep struct {
	paths string
	step  step
}

// every returns all steps of a list.
func every(list []seldomStep) (steps []step) {
	for _, s := range list {
		steps = append(steps, s.step)
	}
	return steps
}

// differing returns the steps whose paths differ from what landed, and a line that names the
// others. All do where the landed commit is not named, or is not in this clone's history.
func (c *check) differing(list []seldomStep) (steps []step, left string) {
	name, _ := os.ReadFile(filepath.Join(c.root, landedFile))
	landed := strings.TrimSpace(string(name))
	_, unknown := c.ask(".", "", "git merge-base --is-ancestor "+landed+" HEAD")
	for _, s := range list {
		differ, err := c.ask(".", "", "git diff --name-only "+landed+" -- "+s.paths)
		added, err2 := c.ask(".", "", "git ls-files --others --exclude-standard -- "+s.paths)
		if errors.Join(unknown, err, err2) != nil || differ+added != "" {
			steps = append(steps, s.step)
		} else {
			left += " " + s.step.name
		}
	}
	if left != "" {
		left = fmt.Sprintf("left to -nightly, as in %s:%s\n", landed, left)
	}
	return steps, left
}

// quick returns the steps of a change that is being made. Tests run in modules that it changes; the
// others that it affects are named.
func (c *check) quick() (steps []step, left string, err error) {
	var untested []string
	lint := step{name: "lint", does: "the linter has no objection to what was changed"}
	vet := step{name: "vet", does: "go vet of what was changed, and of all that imports it"}
	test := step{name: "test", does: "their short tests, in modules with a change"}
	changes, err := c.findChanges()
	for dir, p := range changes {
		changed, affected := strings.Join(p.changed, " "), strings.Join(p.affected, " ")
		if affected != "" {
			vet.lines = append(vet.lines, line{dir, "", "go vet " + affected})
		}
		switch {
		case changed != "":
			folders := strings.ReplaceAll(changed, p.module, ".") // as the linter wants them
			lint.lines = append(lint.lines, line{dir, "", lintAll + folders})
			test.lines = append(test.lines, line{dir, "", goTest + "-short " + affected})
		case affected != "":
			untested = append(untested, dir)
		}
	}
	left = fmt.Sprintf("affected and not tested, as the gate does: %q\n", untested)
	return []step{laws, lint, vet, test}, left, err
}

// packages are those of a module that were changed, and all whose tests depend on one that was.
type packages struct {
	module            string
	changed, affected []string
}

// findChanges returns the packages of each module.
func (c *check) findChanges() (map[string]packages, error) {
	files, err := c.changed()
	modules, err2 := c.modules()
	root, err3 := c.ask(".", "GOWORK=off", "go list -m")
	err = errors.Join(err, err2, err3)
	touched, found := map[string]bool{}, map[string]packages{}
	for _, file := range files {
		touched[path.Join(strings.TrimSpace(root), c.folder(file))] = true
	}
	for _, dir := range modules {
		if dir == toolsModule {
			continue
		}
		// A package; and its test, a program whose dependencies are those of its tests too.
		list, err2 := c.ask(dir, "", "go list -e -test "+
			`-f={{.ImportPath}}{{range.Deps}}{{"\t"}}{{.}}{{end}} ./...`)
		err = errors.Join(err, err2)
		p := choosePackages(list, touched)
		p.module = path.Join(strings.TrimSpace(root), dir)
		found[dir] = p
	}
	return found, err
}

// folder returns where the package of a file is: with a source, or above another file. The tests of
// world read the pages.
func (c *check) folder(file string) string {
	if strings.HasPrefix(file, "docs/") || strings.HasSuffix(file, ".md") {
		return "world"
	}
	dir := path.Dir(file)
	for dir != "." && !strings.HasSuffix(file, ".go") {
		if sources, _ := filepath.Glob(filepath.Join(c.root, dir, "*.go")); len(sources) > 0 {
			break
		}
		dir = path.Dir(dir)
	}
	return dir
}

// choosePackages returns those of a list that were touched, and those whose tests depend on one
// that was. Go lists "p", "p.test", and what is compiled anew for a test, "p [p.test]".
func choosePackages(list string, touched map[string]bool) (p packages) {
	depends := map[string]bool{}
	for listed := range strings.Lines(list) {
		at := strings.Split(strings.TrimSpace(listed), "\t")
		name := strings.TrimSuffix(at[0], ".test")
		if !strings.Contains(name, " ") && slices.ContainsFunc(at, func(dep string) bool {
			dep, _, _ = strings.Cut(dep, " ")
			return touched[dep]
		}) {
			depends[name] = true
		}
	}
	p.affected = slices.Sorted(maps.Keys(depends))
	for _, name := range p.affected {
		if touched[name] {
			p.changed = append(p.changed, name)
		}
	}
	return p
}
