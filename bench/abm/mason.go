package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
)

// A mason runs the comparison's programs for MASON, which are not part of this repository.
type mason struct {
	java      string // program
	classPath string // of MASON's jar and the comparison's compiled programs; "": there is none
}

// errMason is the error of programs that do not report what they should.
var errMason = errors.New("MASON's program did not run as it should; --mason is a class path " +
	"with its jar and the comparison's compiled programs, --java a Java that runs them")

// times returns how long the steps of so many runs took, in milliseconds. All are made by one
// process, as in the comparison, so that the first ones are slower: take the median.
func (m mason) times(
	ctx context.Context, class string, seed uint64, steps, runs int,
) (list []float64, err error) {
	program := exec.CommandContext(ctx, m.java, "-cp", m.classPath, class,
		"-seed", strconv.FormatUint(seed, 10), "-for", strconv.Itoa(steps),
		"-repeat", strconv.Itoa(runs), "-quiet")
	var faults bytes.Buffer
	program.Stderr = &faults
	out, err := program.Output()
	if err != nil {
		first, _, _ := strings.Cut(strings.TrimSpace(faults.String()), "\n")
		return nil, fmt.Errorf("abm: %s: %w: %w: %s", class, errMason, err, first)
	}
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		text, ok := strings.CutPrefix(lines.Text(), "JobTime: ")
		if !ok {
			continue
		}
		nanos, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil {
			return nil, fmt.Errorf("abm: %s: %w: %w", class, errMason, err)
		}
		list = append(list, nanos/1e6)
	}
	if len(list) != runs {
		return nil, fmt.Errorf("abm: %s: %w: it reports %d runs of %d", class, errMason,
			len(list), runs)
	}
	return list, nil
}
