package main

import (
	"errors"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// changed returns the files that differ from the last commit that the tree shares with where it was
// cloned from.
func (c *check) changed() ([]string, error) {
	base, err := c.ask(".", "", "git merge-base HEAD @{upstream}")
	if err != nil {
		base = "HEAD"
	}
	differ, err := c.ask(".", "", "git diff --name-only "+base)
	unknown, err2 := c.ask(".", "", "git ls-files --others --exclude-standard")
	return strings.Fields(differ + unknown), errors.Join(err, err2)
}

// changedToday reports whether a file whose path begins so differs from the newest commit that is
// older than a day.
func (c *check) changedToday(prefixes ...string) (bool, error) {
	base, err := c.ask(".", "", "git rev-list -1 HEAD --before=24.hours.ago")
	if err != nil || base == "" { // a young tree
		return true, err
	}
	differ, err := c.ask(".", "", "git diff --name-only "+base+" -- "+strings.Join(prefixes, " "))
	return differ != "", err
}

// eachModule calls f for every module with packages that were changed, and with all whose tests
// depend on one that was.
func (c *check) eachModule(f func(dir string, changed, affected []string) error) error {
	files, err := c.changed()
	modules, err2 := c.modules()
	root, err3 := c.ask(".", "GOWORK=off", "go list -m")
	err = errors.Join(err, err2, err3)
	touched := map[string]bool{}
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
		if changed, affected := choosePackages(list, touched); len(affected) > 0 {
			err = errors.Join(err, f(dir, changed, affected))
		}
	}
	return err
}

// folder returns where the package of a file is: with a source, or above another file. The tests of
// world read the pages.
func (c *check) folder(file string) string {
	if strings.HasPrefix(file, "docs/") || strings.HasSuffix(file, ".md") {
		return "world"
	}
	dir := path.Dir(file)
	for dir != "." && !strings.HasSuffix(file, ".go") {
		if found, _ := filepath.Glob(filepath.Join(c.root, dir, "*.go")); len(found) > 0 {
			break
		}
		dir = path.Dir(dir)
	}
	return dir
}

// choosePackages returns those of a list that were touched, and those whose tests depend on one
// that was. Go lists "p", "p.test", and what is compiled anew for a test, "p [p.test]".
func choosePackages(list string, touched map[string]bool) (changed, affected []string) {
	found := map[string]bool{}
	for listed := range strings.Lines(list) {
		at := strings.Split(strings.TrimSpace(listed), "\t")
		name := strings.TrimSuffix(at[0], ".test")
		if strings.Contains(name, " ") {
			continue
		}
		found[name] = found[name] || slices.ContainsFunc(at, func(dep string) bool {
			dep, _, _ = strings.Cut(dep, " ")
			return touched[dep]
		})
	}
	maps.DeleteFunc(found, func(_ string, depends bool) bool { return !depends })
	affected = slices.Sorted(maps.Keys(found))
	changed = slices.DeleteFunc(slices.Clone(affected), func(p string) bool { return !touched[p] })
	return changed, affected
}

// vetAffected looks at the packages that were changed, and at those that import them.
func vetAffected(c *check) error {
	return c.eachModule(func(dir string, _, affected []string) error {
		return c.command(line{dir, "", "go vet " + strings.Join(affected, " ")})
	})
}

// testAffected tests them, but for packages of modules in which nothing was changed: it names them.
func testAffected(c *check) error {
	return c.eachModule(func(dir string, changed, affected []string) error {
		if len(changed) == 0 {
			c.left = append(c.left, dir)
			return nil
		}
		return c.command(line{dir, "", "go test -short -vet=off " + strings.Join(affected, " ")})
	})
}
