package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// changed returns the files that differ from the last commit that the tree shares with where it was
// cloned from.
func (c *check) changed() ([]string, error) {
	base, err := c.ask(".", "git", "merge-base", "HEAD", "@{upstream}")
	if err != nil {
		base = "HEAD"
	}
	differ, err := c.ask(".", "git", "diff", "--name-only", strings.TrimSpace(base))
	if err != nil {
		return nil, err
	}
	unknown, err := c.ask(".", "git", "ls-files", "--others", "--exclude-standard")
	return strings.Fields(differ + unknown), err
}

// changedToday returns whether a file whose path begins so differs from the last commit that is a
// day older than the newest one.
func (c *check) changedToday() (func(prefix string) bool, error) {
	newest, err := c.ask(".", "git", "log", "-1", "--format=%cd", "--date=format:%Y-%m-%d %H:%M")
	if err != nil {
		return nil, err
	}
	base, err := c.ask(".", "git", "rev-list", "-1",
		"--before="+strings.TrimSpace(newest)+" 24 hours ago", "HEAD")
	if err != nil || strings.TrimSpace(base) == "" { // a young tree
		return func(string) bool { return true }, err
	}
	differ, err := c.ask(".", "git", "diff", "--name-only", strings.TrimSpace(base))
	files := strings.Fields(differ)
	return func(prefix string) bool {
		return slices.ContainsFunc(files, func(f string) bool {
			return strings.HasPrefix(f, prefix)
		})
	}, err
}

// A listed is what the go command says of a package.
type listed struct {
	Dir, ImportPath                 string
	Deps, TestImports, XTestImports []string
}

// eachModule runs f for every module with packages that were changed, and with those that import
// them, in tests too.
func (c *check) eachModule(f func(dir string, changed, affected []string) error) error {
	files, err := c.changed()
	if err != nil {
		return err
	}
	modules, err := c.modules()
	if err != nil {
		return err
	}
	touched := map[string]bool{} // import paths
	lists := map[string][]listed{}
	for _, dir := range modules {
		if dir == toolsModule {
			continue
		}
		if lists[dir], err = c.list(dir); err != nil {
			return err
		}
		for _, p := range lists[dir] {
			within, _ := filepath.Rel(c.root, p.Dir)
			touched[p.ImportPath] = slices.ContainsFunc(files, func(file string) bool {
				return belongs(file, filepath.ToSlash(within))
			})
		}
	}
	var errs []error
	for dir, list := range lists {
		changed, affected := choosePackages(list, touched)
		if len(affected) > 0 {
			errs = append(errs, f(dir, changed, affected))
		}
	}
	return errors.Join(errs...)
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
// that was.
func choosePackages(list []listed, touched map[string]bool) (changed, affected []string) {
	depends := map[string]bool{}
	isTouched := func(path string) bool { return touched[path] }
	for _, p := range list {
		depends[p.ImportPath] = touched[p.ImportPath] || slices.ContainsFunc(p.Deps, isTouched)
	}
	for _, p := range list {
		if touched[p.ImportPath] {
			changed = append(changed, p.ImportPath)
		}
		tests := slices.Concat(p.TestImports, p.XTestImports)
		if depends[p.ImportPath] || slices.ContainsFunc(tests, func(path string) bool {
			return touched[path] || depends[path]
		}) {
			affected = append(affected, p.ImportPath)
		}
	}
	return changed, affected
}

func (c *check) list(dir string) (all []listed, err error) {
	text, err := c.ask(dir, "go", "list", "-e",
		"-json=Dir,ImportPath,Deps,TestImports,XTestImports", "./...")
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(bytes.NewReader([]byte(text))); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
}

// quickly runs a go command for the packages that were changed, and for those that import them.
func quickly(verb string, flags ...string) func(*check) error {
	return func(c *check) error {
		return c.eachModule(func(dir string, _, affected []string) error {
			return c.command(dir, workspace(dir),
				slices.Concat([]string{"go", verb}, flags, affected)...)
		})
	}
}
