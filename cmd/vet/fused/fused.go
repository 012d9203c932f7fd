// Package fused compiles packages for every machine that has instructions which multiply and add
// with one rounding, and reports where the compiler made one of a product and a sum:
//
//	patterns ─▶ go list -export, for each machine ─▶ places at which the compiler fused
//	         ─▶ go build -S, only where it did     ─▶ names of the instructions there
//	         ─▶ types of those packages            ─▶ what is allowed, and edits that mend others
//
// The compiler says where by a switch for debugging, fmahash. A machine for which it says nothing
// is tried with a product that must be fused.
package fused

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

const usage = `usage: vet fused [-fix] [-arch list] [-tags list] [packages]

Fused compiles the packages, without tests, for machines that can multiply and add with one
rounding, and lists the places where the code would do so. GOOS sets the system; the default is
linux. To allow a place, write a comment, as for the other checks: //flatecs:allow fused why

`

// Exit codes of Run.
const (
	Clean  = iota
	Found  // at least one product is fused
	Failed // the packages cannot be checked
)

// Run runs the command with args, writes findings to out and errors to errs, and returns an exit
// code.
func Run(ctx context.Context, args []string, out, errs io.Writer) int {
	flags := flag.NewFlagSet("vet fused", flag.ContinueOnError)
	flags.SetOutput(errs)
	flags.Usage = func() { fmt.Fprint(errs, usage); flags.PrintDefaults() }
	fix := flags.Bool("fix", false, "write the conversions that round each product")
	arch := flags.String("arch", archs, "machines to compile for, separated by commas")
	tags := flags.String("tags", "", "build tags, separated by commas")
	if err := flags.Parse(args); err != nil {
		return Failed
	}
	dir, err := os.Getwd()
	if err != nil {
		fmt.Fprintln(errs, "vet fused:", err)
		return Failed
	}
	l := look{ctx: ctx, dir: dir, tags: *tags, patterns: flags.Args()}
	if len(l.patterns) == 0 {
		l.patterns = []string{"."}
	}
	found, err := l.all(*arch, *fix)
	if err != nil {
		fmt.Fprintln(errs, "vet fused:", err)
		return Failed
	}
	for _, f := range found {
		fmt.Fprintln(out, f)
	}
	if len(found) == 0 {
		return Clean
	}
	fmt.Fprintf(errs, "vet fused: %d; ", len(found))
	if *fix {
		fmt.Fprintln(errs, "fix these by hand")
	} else {
		fmt.Fprintln(errs, "vet fused -fix, with the same packages, writes conversions where "+
			"it can")
	}
	return Found
}

// archs are the machines with fused instructions, by their GOARCH; v3 is a GOAMD64.
const archs = "arm64,riscv64,ppc64le,s390x,loong64,amd64v3"

// hostsOf returns the machines in a list.
func hostsOf(list string) ([]string, error) {
	hosts, chosen := strings.Split(archs, ","), strings.Split(list, ",")
	for _, name := range chosen {
		if !slices.Contains(hosts, name) {
			return nil, fmt.Errorf("-arch=%s: no machine that fuses is called %q; choose of %s",
				list, name, archs)
		}
	}
	return chosen, nil
}
