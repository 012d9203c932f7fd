package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// drawing is a command line of the README that makes one of its pictures.
var drawing = regexp.MustCompile("run (\\w+) --render (gif|png) [^`\n]+")

// The README's command lines make the README's pictures.
func TestPicturesOfTheReadme(t *testing.T) {
	if testing.Short() {
		t.Skip("draws 100,000 heroes for three seconds")
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	lines := drawing.FindAllStringSubmatch(string(readme), -1)
	if len(lines) != 4 {
		t.Errorf("%d command lines", len(lines))
	}
	for _, line := range lines {
		name := line[1] + "." + line[2]
		path := filepath.Join(t.TempDir(), name)
		played(t, line[0]+" --out "+path)
		got, err := os.ReadFile(path)
		want, errWant := os.ReadFile("../../docs/pictures/" + name)
		if err != nil || errWant != nil || !bytes.Equal(got, want) {
			t.Errorf("docs/pictures/%s is not what %q makes: %v, %v", name, line[0], err, errWant)
		}
	}
}
