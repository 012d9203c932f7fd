package main

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// nightlyFile has a line per long step: "name commit date seconds" of its last pass, and "ticks=N"
// if the step printed "N ticks in".
const nightlyFile = ".ci/nightly"

// nights returns the lines of nightlyFile, as words, by the name of the step.
func (c *check) nights() map[string][]string {
	text, _ := os.ReadFile(filepath.Join(c.root, nightlyFile)) // missing: no step has passed
	lines := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); len(words) >= 4 {
			lines[words[0]] = words
		}
	}
	return lines
}

// passedAt returns the commit at which a step last passed, if this clone contains it.
func (c *check) passedAt(name string) (commit string, ok bool) {
	line := c.nights()[name]
	if line == nil {
		return "", false
	}
	_, err := c.ask("git merge-base --is-ancestor " + line[1] + " HEAD")
	return line[1], err == nil
}

// record records that a step passed at the tree's commit, unless the tree has uncommitted changes.
func (c *check) record(name string, took time.Duration) error {
	differ, err := c.ask("git status --porcelain")
	commit, err2 := c.ask("git rev-parse HEAD")
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	for line := range strings.Lines(differ) {
		if name := strings.TrimSpace(line); !strings.HasSuffix(name, nightlyFile) &&
			!strings.HasSuffix(name, qualityPage) {
			return fmt.Errorf("%s is not committed, so %s does not record this pass",
				strings.TrimSpace(line[2:]), nightlyFile)
		}
	}
	lines := c.nights()
	lines[name] = []string{
		name, strings.TrimSpace(commit), time.Now().Format(time.DateOnly),
		fmt.Sprintf("%.0f", took.Seconds()),
	}
	if n := sumTicks(c.out.Bytes()); n > 0 {
		lines[name] = append(lines[name], fmt.Sprint("ticks=", n))
	}
	var text strings.Builder
	for _, s := range slices.Concat(steps["seldom"], steps["nightly"]) {
		if line := lines[s.name]; line != nil {
			fmt.Fprintln(&text, strings.Join(line, " "))
		}
	}
	name = filepath.Join(c.root, nightlyFile)
	if err := os.WriteFile(name, []byte(text.String()), 0o644); err != nil {
		return err
	}
	return c.writeQuality()
}

var ticksIn = regexp.MustCompile(`(?m)\b(\d+) ticks in `)

// sumTicks returns the sum of the ticks that a step's programs report.
func sumTicks(printed []byte) (sum int) {
	for _, m := range ticksIn.FindAllSubmatch(printed, -1) {
		n, _ := strconv.Atoi(string(m[1]))
		sum += n
	}
	return sum
}

// longestAgo sorts steps by their last pass: steps without one come first.
func (c *check) longestAgo(list []step) []step {
	lines := c.nights()
	date := func(s step) string {
		if line := lines[s.name]; line != nil {
			return line[2]
		}
		return ""
	}
	return slices.SortedStableFunc(slices.Values(list), func(a, b step) int {
		return strings.Compare(date(a), date(b))
	})
}

// differing returns the steps with a path that differs from their last pass, and a line that names
// the others.
func (c *check) differing(list []step) (chosen []step, left string) {
	for _, s := range list {
		commit, ok := c.passedAt(s.name)
		differ, err := c.ask("git diff --name-only " + commit + " -- " + s.where)
		added, err2 := c.ask("git ls-files --others --exclude-standard -- " + s.where)
		if !ok || errors.Join(err, err2) != nil || differ+added != "" {
			chosen = append(chosen, s)
		} else {
			left += " " + s.name
		}
	}
	if left != "" {
		left = "left to -nightly, unchanged since their last pass:" + left + "\n"
	}
	return chosen, left
}

// eachChanged runs the linter, as a step of nightly does, for the packages that changed since its
// last pass, and for their importers; for all packages without a pass.
func (c *check) eachChanged(name string) error {
	chosen, err := choose(steps["nightly"], name)
	if err != nil {
		return err
	}
	commit, ok := c.passedAt(name)
	if !ok {
		return c.lines(chosen[0])
	}
	lines, err := c.lintSince(commit)
	return errors.Join(err, c.lines(step{lines: lines}))
}

// lintSince returns the commands that lint the packages that differ from a commit, and their
// importers.
func (c *check) lintSince(commit string) (lines []string, err error) {
	root, touched, err := c.touchedSince(commit)
	modules, err2 := c.modules()
	work, err3 := c.word("WORK", "")
	err = errors.Join(err, err2, err3)
	var together []string // one run of the linter reads common packages once
	for _, dir := range modules {
		if dir == "cmd/tools" { // no imports connect it with the others
			continue
		}
		_, all, err2 := c.affected(dir, touched)
		err = errors.Join(err, err2)
		folders := under(root, dir, all)
		switch {
		case len(all) == 0:
		case slices.Contains(strings.Fields(work), "./"+path.Join(dir, "...")):
			together = append(together, under(root, ".", all))
		case dir == "cmd/ebiten":
			lines = append(lines, "cd "+dir+" && $cgo $lint "+folders)
		default:
			lines = append(lines, "cd "+dir+" && $lint "+folders)
		}
		know := slices.DeleteFunc(strings.Fields(words["knowdebug"]), func(folder string) bool {
			return !slices.Contains(strings.Fields(folders), folder)
		})
		if dir == "." && len(know) > 0 {
			lines = append(lines, "$LINTER run --build-tags=ecsdebug "+strings.Join(know, " "))
		}
	}
	if len(together) > 0 {
		lines = append([]string{"$lint " + strings.Join(together, " ")}, lines...)
	}
	if tools, err2 := c.ask("git diff --name-only " + commit + " -- cmd/tools"); tools != "" {
		lines, err = append(lines, "$tools $lint ./..."), errors.Join(err, err2)
	}
	return lines, err
}
