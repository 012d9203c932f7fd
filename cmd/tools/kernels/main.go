// Command kernels writes the assembly of buffer/kernel:
//
//	GOWORK=off go -C cmd/tools run ./kernels
//
// The assembly does whole vectors only; what is left over stays with the Go loop that called it.
package main

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
)

const (
	packageDir = "../../buffer/kernel" // from cmd/tools

	// The race detector does not see accesses from assembly, so race builds exclude it.
	withAssembly    = "!purego,!race"
	withoutAssembly = "!amd64 || purego || race"
)

var config = printer.Config{
	Argv: []string{"GOWORK=off", "go", "-C", "cmd/tools", "run", "./kernels"},
	Pkg:  "kernel",
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("kernels: ")
	files, err := generate()
	if err != nil {
		log.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(packageDir, name), text, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// generate returns the generated files by name.
func generate() (map[string][]byte, error) {
	file, err := compile()
	if err != nil {
		return nil, err
	}
	assembly, err := printer.NewGoAsm(config).Print(file)
	if err != nil {
		return nil, err
	}
	declarations, err := printer.NewStubs(config).Print(file)
	if err != nil {
		return nil, err
	}
	return map[string][]byte{
		"avx2_amd64.s":  assembly,
		"avx2_amd64.go": declarations,
		"avx2_none.go":  absent(file),
	}, nil
}

// compile turns the kernels into instructions on real registers.
func compile() (*ir.File, error) {
	a := newAssembler()
	a.ConstraintExpr(withAssembly)
	a.width = a.float32()
	a.kernels32()
	a.writeFloat16()
	a.width = a.float64()
	a.writeAdd()
	a.width = a.bits()
	a.writeXor()
	a.writePlanes()
	a.writeRows()
	file, err := a.Result()
	if err != nil {
		return nil, err
	}
	return file, pass.Compile.Execute(file)
}

// absent returns stubs for builds without the assembly. They are never called.
func absent(file *ir.File) []byte {
	var text bytes.Buffer
	fmt.Fprintf(&text, "// %s\n\n//go:build %s\n\npackage %s\n",
		config.GeneratedWarning(), withoutAssembly, config.Pkg)
	for _, f := range file.Functions() {
		switch {
		case f.Signature.Params().Bytes() == 0: // a check of the CPU
		case f.Signature.Results().Bytes() != 0:
			fmt.Fprintf(&text, "\n%s {\n\treturn\n}\n", f.Stub())
		default:
			fmt.Fprintf(&text, "\n%s {}\n", f.Stub())
		}
	}
	return text.Bytes()
}
