package main

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/gallery"
)

// wrongLine prints the error of a command line in one line, with a hint to help.
func wrongLine(err error, stderr io.Writer) int {
	line := "flatecs"
	if parse, ok := errors.AsType[*kong.ParseError](err); ok && parse.Context != nil {
		if at := parse.Context.Selected(); at != nil {
			line = at.FullPath()
		}
	}
	text := printable(strings.Join(strings.Fields(err.Error()), " "))
	if list := oneOf.FindStringSubmatch(text); list != nil {
		text += mostSimilar(list[2], strings.Split(strings.Trim(list[1], `"`), `","`))
	}
	if wrong, ok := strings.CutPrefix(text, "unexpected argument "); ok && line == "flatecs" {
		text += mostSimilar(wrong, gallery.Names()) // a scene's name alone runs the scene
	}
	for _, start := range []string{"unknown ", "unexpected ", "expected "} {
		if strings.HasPrefix(text, start) { // other errors say what to use instead
			text += " (" + line + " --help)"
		}
	}
	_, _ = fmt.Fprintf(stderr, "flatecs: error: %s\n", text)
	return 2 // the code for wrong usage
}

var oneOf = regexp.MustCompile(`must be one of (".*") but got "(.*)"$`)

// mostSimilar suggests the most similar name of a list.
func mostSimilar(wrong string, names []string) string {
	if near := scene.Nearest(wrong, names); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}
