package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/flatecs/flatecs/cmd/scene"
)

// wrongLine tells in one line what is wrong with a command line, and where help is.
func wrongLine(err error, stderr io.Writer) int {
	const noSense = 80
	line := []string{"flatecs"}
	if parse, ok := errors.AsType[*kong.ParseError](err); ok && parse.Context != nil {
		if at := parse.Context.Selected(); at != nil {
			line = append(line, strings.TrimPrefix(at.Path(), "flatecs "))
		} else if path := parse.Context.Path; len(path) > 1 && path[1].Command != nil {
			line = append(line, path[1].Command.Name)
		}
	}
	text := printable(strings.Join(strings.Fields(err.Error()), " "))
	text += meant(err)
	for _, start := range []string{"unknown ", "unexpected ", "expected "} {
		if strings.HasPrefix(text, start) { // others say what to give instead
			text += " (" + strings.Join(line, " ") + " --help)"
		}
	}
	_, _ = fmt.Fprintf(stderr, "flatecs: error: %s\n", text)
	return noSense
}

// meant tells of a flag that was given before its command which one it may be of. After it, the
// parser tells.
func meant(err error) string {
	parse, ok := errors.AsType[*kong.ParseError](err)
	wrong, unknown := strings.CutPrefix(err.Error(), "unknown flag --")
	if !ok || !unknown || parse.Context == nil {
		return ""
	}
	at := parse.Context.Selected()
	if at == nil {
		at = parse.Context.Model.Node
	}
	var names []string
	commands := map[string]string{} // by flag: the one of the line, or the first that has it
	for _, leaf := range at.Leaves(true) {
		for _, flag := range leaf.Flags {
			if !slices.Contains(names, flag.Name) {
				names = append(names, flag.Name)
				commands[flag.Name] = leaf.Path()
			} else if slices.Contains(parse.Context.Args, leaf.Name) {
				commands[flag.Name] = leaf.Path()
			}
		}
	}
	nearest := scene.Nearest(wrong, names)
	if nearest == "" {
		return ""
	}
	return fmt.Sprintf(", did you mean \"flatecs %s --%s\"?", commands[nearest], nearest)
}
