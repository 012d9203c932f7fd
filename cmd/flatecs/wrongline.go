package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/flatecs/flatecs/cmd/scene"
	"github.com/flatecs/flatecs/cmd/scene/gallery"
)

// wrongLine tells in one line what is wrong with a command line, and where help is.
func wrongLine(err error, stderr io.Writer) int {
	const noSense = 80
	line := []string{"flatecs"}
	if parse, ok := errors.AsType[*kong.ParseError](err); ok && parse.Context != nil {
		if at := parse.Context.Selected(); at != nil {
			line = append(line, strings.TrimPrefix(at.Path(), "flatecs "))
		}
	}
	text := printable(plainly(strings.Join(strings.Fields(err.Error()), " ")))
	text += meant(err, text)
	for _, start := range []string{"unknown ", "unexpected ", "expected "} {
		if strings.HasPrefix(text, start) { // others say what to give instead
			text += " (" + strings.Join(line, " ") + " --help)"
		}
	}
	_, _ = fmt.Fprintf(stderr, "flatecs: error: %s\n", text)
	return noSense
}

// wording is how the parser says what a value has to be, and what people say.
var wording = []struct {
	parser *regexp.Regexp
	people func(bits string) string
}{
	{regexp.MustCompile(`expected a valid (\d+) bit uint`), func(bits string) string {
		n, _ := strconv.Atoi(bits)
		return fmt.Sprintf("expected a whole number from 0 to %d", uint64(math.MaxUint64)>>(64-n))
	}},
	{regexp.MustCompile(`expected a valid (\d+) bit int`), wholeNumber},
	{regexp.MustCompile(`expected uint value`), notNegative},
	{regexp.MustCompile(`expected int value`), wholeNumber},
	{regexp.MustCompile(`expected value value`), func(string) string { return "expected a value" }},
	{regexp.MustCompile(`expected a float`), func(string) string { return "expected a number" }},
	{regexp.MustCompile(` \(short flag\); perhaps try .*$`), func(string) string { return "" }},
	{regexp.MustCompile(`, did you mean .*$`), func(string) string { return "" }}, // see meant
}

func notNegative(string) string { return "expected 0 or more" }

func wholeNumber(string) string { return "expected a whole number" }

// plainly returns what the parser says in words that are no types of a programming language.
func plainly(text string) string {
	for _, w := range wording {
		if found := w.parser.FindStringSubmatch(text); found != nil {
			text = strings.Replace(text, found[0], w.people(found[len(found)-1]), 1)
		}
	}
	return text
}

var oneOf = regexp.MustCompile(`must be one of (".*") but got "(.*)"$`)

var noParameter = regexp.MustCompile(`there is no parameter (.*); give one of (.*)$`)

// meantParam adds to the error of a parameter that a model lacks which one was probably meant.
func meantParam(err error) error {
	list := noParameter.FindStringSubmatch(err.Error())
	if list == nil {
		return err
	}
	if near := scene.Nearest(list[1], strings.Split(list[2], ", ")); near != "" {
		return fmt.Errorf("%w; did you mean %q?", err, near)
	}
	return err
}

// meant tells which flag, command or value of a list was probably meant by one that there is not.
func meant(err error, text string) string {
	ask := func(nearest string) string {
		if nearest == "" {
			return ""
		}
		return fmt.Sprintf(", did you mean %q?", nearest)
	}
	if list := oneOf.FindStringSubmatch(text); list != nil {
		return ask(scene.Nearest(list[2], strings.Split(strings.Trim(list[1], `"`), `","`)))
	}
	parse, ok := errors.AsType[*kong.ParseError](err)
	if !ok || parse.Context == nil {
		return ""
	}
	at := parse.Context.Selected()
	if at == nil {
		at = parse.Context.Model.Node
	}
	if wrong, ok := strings.CutPrefix(text, "unknown flag --"); ok {
		return ask(flagMeant(parse.Context, at, wrong))
	}
	if wrong, ok := strings.CutPrefix(text, "unexpected argument "); ok {
		return ask(scene.Nearest(wrong, commandsOf(at)))
	}
	return ""
}

// flagMeant returns the flag of a command, or with the first command that has it, if none is chosen
// yet.
func flagMeant(line *kong.Context, at *kong.Node, wrong string) string {
	var names []string
	commands := map[string]string{} // by flag: the one of the line, or the first that has it
	leaves := at.Leaves(true)
	if len(leaves) == 0 {
		leaves = []*kong.Node{at}
	}
	for _, leaf := range leaves {
		for _, flag := range append(leaf.Flags, line.Model.Flags...) {
			if !slices.Contains(names, flag.Name) {
				names = append(names, flag.Name)
				commands[flag.Name] = leaf.Path()
			} else if slices.Contains(line.Args, leaf.Name) {
				commands[flag.Name] = leaf.Path()
			}
		}
	}
	nearest := scene.Nearest(wrong, names)
	switch {
	case nearest == "":
		return ""
	case len(at.Children) == 0:
		return "--" + nearest
	}
	return fmt.Sprintf("flatecs %s --%s", commands[nearest], nearest)
}

// commandsOf returns the names of a command's commands.
func commandsOf(at *kong.Node) (names []string) {
	for _, child := range at.Children {
		names = append(names, child.Name)
	}
	if at.Type == kong.ApplicationNode {
		names = append(names, gallery.Names()...) // one alone runs the scene
	}
	return names
}
