package main

import (
	"errors"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// quick returns the steps for an uncommitted change. Tests run in the changed modules; the other
// affected modules are named.
func (c *check) quick() (list []step, left string, err error) {
	lint, vet, test := step{name: "lint"}, step{name: "vet"}, step{name: "test"}
	root, touched, err := c.touchedSince("--merge-base @{upstream}")
	if err != nil { // the place does not exist
		root, touched, err = c.touchedSince("HEAD")
	}
	modules, err2 := c.modules()
	err = errors.Join(err, err2)
	for _, dir := range modules {
		if dir == "cmd/tools" { // it imports none of the others
			continue
		}
		changed, affected, err2 := c.affected(dir, touched)
		err = errors.Join(err, err2)
		in, all := "cd "+dir+" && ", strings.Join(affected, " ")
		if all != "" {
			vet.lines = append(vet.lines, in+"go vet "+all)
		}
		switch {
		case len(changed) > 0:
			lint.lines = append(lint.lines, in+"$lint "+under(root, dir, changed))
			test.lines = append(test.lines, in+"$test -short "+all)
		case all != "":
			left += " " + dir
		}
	}
	left = "affected, and tested by the gate only:" + left + "\n"
	return []step{steps["gate"][0], lint, vet, test}, left, err
}

// under returns the folders of packages relative to a module's folder, for the linter.
func under(root, dir string, packages []string) string {
	return strings.ReplaceAll(strings.Join(packages, " "), path.Join(root, dir), ".")
}

// touchedSince returns the root module's path, and the packages with files that differ from a
// commit.
func (c *check) touchedSince(commit string) (root string, packages map[string]bool, err error) {
	root, err = c.ask("GOWORK=off go list -m")
	root = strings.TrimSpace(root)
	differ, err2 := c.ask("git diff --name-only " + commit)
	unknown, err3 := c.ask("git ls-files --others --exclude-standard")
	packages = map[string]bool{}
	for file := range strings.FieldsSeq(differ + unknown) {
		packages[path.Join(root, c.folder(file))] = true
	}
	return root, packages, errors.Join(err, err2, err3)
}

// folder returns the folder of a file's package: the nearest one with Go files. The tests of world
// read the pages.
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

// affected returns the touched packages of a module, and the packages whose tests depend on them.
// Go lists "p", the test program "p.test", and the packages that are recompiled for it, "p p.test".
func (c *check) affected(dir string, touched map[string]bool) (changed, all []string, err error) {
	list, err := c.ask("cd " + dir + " && $dependencies")
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
	all = slices.Sorted(maps.Keys(depends))
	changed = slices.DeleteFunc(slices.Clone(all), func(p string) bool { return !touched[p] })
	return changed, all, err
}
