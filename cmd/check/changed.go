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
	err = errors.Join(err, err2)
	touched, tests := map[string]bool{}, map[string]string{}
	for _, dir := range modules {
		if dir == toolsModule {
			continue
		}
		// A package; and its test, a program whose dependencies are those of its tests too.
		tests[dir], err2 = c.ask(dir, "", "go list -e -test "+
			`-f={{.Dir}}{{"\t"}}{{.ImportPath}}{{range.Deps}}{{"\t"}}{{.}}{{end}} ./...`)
		err = errors.Join(err, err2)
		for listed := range strings.Lines(tests[dir]) {
			at := strings.Split(strings.TrimSpace(listed), "\t")
			within, _ := filepath.Rel(c.root, at[0])
			isIn := func(file string) bool { return belongs(file, filepath.ToSlash(within)) }
			touched[at[1]] = !strings.HasSuffix(at[1], ".test") && slices.ContainsFunc(files, isIn)
		}
	}
	for _, dir := range modules {
		changed, affected := choosePackages(tests[dir], touched)
		if len(affected) > 0 {
			err = errors.Join(err, f(dir, changed, affected))
		}
	}
	return err
}

// belongs reports whether a file is a source of the package in dir, or something else below it. The
// tests of world read the pages.
func belongs(file, dir string) bool {
	if strings.HasSuffix(file, ".go") {
		return path.Dir(file) == dir
	}
	page := strings.HasPrefix(file, "docs/") || strings.HasSuffix(file, ".md")
	return strings.HasPrefix(file, dir+"/") || dir == "world" && page
}

// choosePackages returns those of a list that were touched, and those whose tests depend on one
// that was. Go lists "p", "p.test", and what is compiled anew for a test, "p [p.test]".
func choosePackages(list string, touched map[string]bool) (changed, affected []string) {
	found := map[string]bool{}
	for listed := range strings.Lines(list) {
		at := strings.Split(strings.TrimSpace(listed), "\t")[1:]
		name := strings.TrimSuffix(at[0], ".test")
		if strings.Contains(name, " ") {
			continue
		}
		if touched[at[0]] {
			changed = append(changed, name)
		}
		found[name] = found[name] || slices.ContainsFunc(at, func(dep string) bool {
			dep, _, _ = strings.Cut(dep, " ")
			return touched[dep]
		})
	}
	maps.DeleteFunc(found, func(_ string, depends bool) bool { return !depends })
	return changed, slices.Sorted(maps.Keys(found))
}

// quickly runs a go command for the packages that were changed, and for those that import them.
func quickly(words string) func(*check) error {
	return func(c *check) error {
		return c.eachModule(func(dir string, _, affected []string) error {
			return c.command(line{dir, "", words + " " + strings.Join(affected, " ")})
		})
	}
}
