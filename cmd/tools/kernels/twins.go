package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// twinned are the files whose functions there are for float64 too, in a generated file beside.
// Generic functions would be slower: their shared bodies are not inlined into exported ones, and
// which assembly to call they would have to find out.
var twinned = []string{"arithmetic.go", "bounds.go", "diffuse.go", "heroes.go"}

var (
	declared = regexp.MustCompile(`(?m)^func (\w+)`)
	assembly = regexp.MustCompile(`\b(\w+)AVX2\b`)
)

// writeTwins adds to files the twins for float64 of the kernels in dir.
func writeTwins(files map[string][]byte, dir string) error {
	code, names := make([]string, len(twinned)), []string(nil)
	for i, name := range twinned {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		code[i] = string(text)
		for _, found := range declared.FindAllStringSubmatch(code[i], -1) {
			names = append(names, found[1])
		}
	}
	for i, name := range twinned {
		twin := "// " + config.GeneratedWarning() + "\n\n" + twinOf(code[i], names)
		files[strings.TrimSuffix(name, ".go")+"64.go"] = []byte(twin)
	}
	return nil
}

// twinOf turns code for float32 into code for float64, where the named functions end in 64.
func twinOf(code string, names []string) string {
	for _, name := range names {
		word := regexp.MustCompile(`\b` + name + `\b`)
		code = word.ReplaceAllString(code, strings.TrimSuffix(name, "32")+"64")
	}
	code = assembly.ReplaceAllString(code, "${1}64AVX2")
	return strings.NewReplacer(
		"float32", "float64", "Float32", "Float64", "perVector", "perVector64").Replace(code)
}
