package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
)

// decisive are the packages whose arithmetic decides what is in a world.
var decisive = []string{
	"./layout", "./buffer", "./buffer/kernel", "./gameobject", "./manager", "./systems/...",
	"./world", "./world/lab", "./world/network", "./world/pose", "./world/random",
	"./world/session", "./world/space", "./cmd/scene/...",
}

// fusedOp matches instructions that multiply and add with one rounding, of amd64 and arm64, in the
// assembly that the compiler prints.
var fusedOp = regexp.MustCompile(`\t(VFN?M(ADD|SUB)\w*|FN?M(ADD|SUB)[SD])\t`)

// fusing are hosts that have such instructions.
var fusing = [][]string{
	{"GOOS=linux", "GOARCH=arm64"},
	{"GOOS=linux", "GOARCH=amd64", "GOAMD64=v3"},
}

// checkFused looks for products and sums that are fused. They are rounded once where other hosts
// round twice, so the bytes would differ between machines.
func checkFused(c *check) error {
	var packages []string
	for _, p := range decisive {
		if _, err := os.Stat(c.abs(strings.TrimSuffix(p, "/..."))); err == nil {
			packages = append(packages, p)
		}
	}
	for _, host := range fusing {
		found, err := fused(c.abs("."), host, packages)
		switch {
		case err != nil:
			return err
		case found != "":
			return fmt.Errorf("%v: a product and a sum are fused; write float32(a*b) + c: %s",
				host, found)
		}
	}
	return nil
}

// fused returns the first line of the packages' assembly that fuses, or nothing.
func fused(dir string, host, packages []string) (line string, err error) {
	cmd := exec.Command("go", append([]string{"build", "-gcflags=-S"}, packages...)...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), host...)
	listing, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%v: %w\n%s", host, err, listing)
	}
	for line := range bytes.Lines(listing) {
		if fusedOp.Match(line) {
			return string(bytes.TrimSpace(line)), nil
		}
	}
	return "", nil
}
