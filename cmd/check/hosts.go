package main

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// A host is a machine other than this one, or a way to compile for this one.
type host struct {
	name     string
	env      []string
	emulator string // program that runs its tests here, and
	cure     string // how it comes to this machine
	packages []string
}

// scenes hold the digests that every host must come to.
const scenes = "./cmd/scene/..."

var hosts = []host{
	{
		// Its int has 32 bits.
		name: "386", env: []string{"GOOS=linux", "GOARCH=386", "CGO_ENABLED=0"},
		packages: []string{
			"./layout", "./buffer", "./gameobject", "./manager", "./systems/...", "./world",
			"./world/delta", "./world/family", "./world/inspect", "./world/lab", "./world/network",
			"./world/pack", "./world/random", "./world/save", "./world/space", scenes,
		},
	},
	{
		name: "wasm", env: []string{"GOOS=js", "GOARCH=wasm"},
		emulator: "node", cure: "install Node.js 20, Debian's nodejs",
		packages: []string{
			"./layout", "./buffer/...", "./gameobject", "./manager", "./systems/...",
			"./world", "./world/lab", "./world/network", "./world/pose", "./world/random",
			"./world/space", scenes,
		},
	},
	{
		name: "arm64", env: []string{"GOOS=linux", "GOARCH=arm64"},
		emulator: "qemu-aarch64-static", cure: "install Debian's qemu-user-static",
		packages: []string{
			"./layout", "./buffer/...", "./gameobject", "./manager", "./world",
			"./world/inspect", "./world/lab", "./world/network", "./world/pose", "./world/random",
			"./world/space", scenes,
		},
	},
}

// checkHosts runs the short tests as other hosts would.
func checkHosts(c *check) error {
	var errs []error
	for _, h := range hosts {
		errs = append(errs, h.test(c))
	}
	return errors.Join(errs...)
}

func (h host) test(c *check) error {
	args := []string{"go", "test", together, "-short", "-vet=off"}
	if h.emulator != "" {
		program, err := h.program(c)
		if err != nil {
			return fmt.Errorf("%s: %w; %s", h.name, err, h.cure)
		}
		args = append(args, "-exec="+program)
	}
	if err := c.command(".", h.env, append(args, h.packages...)...); err != nil {
		return fmt.Errorf("%s: %w", h.name, err)
	}
	return nil
}

// program returns what to run a test of the host by. That of WebAssembly is Go's own, over Node.
func (h host) program(c *check) (string, error) {
	file, err := exec.LookPath(h.emulator)
	if err != nil || h.emulator != "node" {
		return file, err
	}
	root, err := c.ask(".", "go", "env", "GOROOT")
	return filepath.Join(strings.TrimSpace(root), "lib", "wasm", "go_js_wasm_exec"), err
}
