package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/flatecs/flatecs/cmd/scene/gallery"
)

// completion is the command that has a shell complete command lines: its scripts ask it for the
// words that may come next.
type completion struct {
	Shell string   `arg:"" help:"bash, zsh or fish." enum:"bash,zsh,fish,words"`
	Words []string `arg:"" optional:"" hidden:"" help:"The line so far."`
}

// Help shows what the command can do.
func (c *completion) Help() string {
	return examples(
		`completion bash >> ~/.bash_completion`, "for every bash from now on",
		`completion zsh > "${fpath[1]}/_flatecs"`, "for zsh",
		`completion fish > ~/.config/fish/completions/flatecs.fish`, "for fish",
	)
}

// Where no word is offered, shells complete names of files.
var shells = map[string]string{
	"bash": `_flatecs() {
	local IFS=$'\n'
	COMPREPLY=($(flatecs completion words -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _flatecs flatecs
`,
	"zsh": `#compdef flatecs
_flatecs() {
	local -a offered
	offered=(${(f)"$(flatecs completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)"})
	(( $#offered )) && compadd -a offered || _files
}
if [[ $funcstack[1] == _flatecs ]]; then _flatecs "$@"; else compdef _flatecs flatecs; fi
`,
	"fish": `complete -c flatecs -a \
	'(flatecs completion words -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
}

// Run prints the script, or the words.
func (c *completion) Run(ctx context.Context, s streams) error {
	if c.Shell != "words" {
		_, err := fmt.Fprint(s.out, shells[c.Shell])
		return err
	}
	parser, err := newParser(ctx, s)
	if err != nil {
		return err
	}
	for _, word := range offered(parser.Model.Node, c.Words) {
		if _, err := fmt.Fprintln(s.out, word); err != nil {
			return err
		}
	}
	return nil
}

// offered returns what the last word of a line may become: the names of commands, flags or values
// that begin like it.
func offered(at *kong.Node, line []string) []string {
	last := ""
	if len(line) > 0 {
		line, last = line[:len(line)-1], line[len(line)-1]
	}
	given := 0 // arguments
	var open *kong.Flag
	for i, word := range line {
		child := childOf(at, word)
		if i == 0 && child == nil { // a scene's name alone runs it
			child = childOf(childOf(at, "run"), word)
		}
		switch {
		case open != nil:
			open = nil
		case strings.HasPrefix(word, "-"):
			open = flagOf(at, word)
		case child != nil:
			at = child
		default:
			given++
		}
	}
	words := wordsAt(at, open, given, strings.HasPrefix(last, "-"))
	other := func(word string) bool { return !strings.HasPrefix(word, last) }
	return slices.DeleteFunc(words, other)
}

// wordsAt returns what may come next in the line of a command.
func wordsAt(at *kong.Node, open *kong.Flag, given int, flags bool) (words []string) {
	switch {
	case open != nil:
		return values(open.Value)
	case flags:
		for _, list := range at.AllFlags(true) {
			for _, flag := range list {
				words = append(words, "--"+flag.Name)
			}
		}
		return words
	case given < len(at.Positional):
		return values(at.Positional[given])
	case given > 0:
		return nil
	}
	return commandsOf(at)
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

// values returns the values that a flag or an argument may have, if they can be counted.
func values(v *kong.Value) []string {
	if v.Name == "scene" && v.Enum == "" {
		return gallery.Names()
	}
	return slices.DeleteFunc(v.EnumSlice(), func(s string) bool { return s == "" || s == "words" })
}

func childOf(at *kong.Node, name string) *kong.Node {
	for _, child := range at.Children {
		if child.Name == name {
			return child
		}
	}
	return nil
}

// flagOf returns the flag that a word is, if it has its value in the next one.
func flagOf(at *kong.Node, word string) *kong.Flag {
	for _, list := range at.AllFlags(false) {
		for _, flag := range list {
			if "--"+flag.Name == word && !flag.IsBool() {
				return flag
			}
		}
	}
	return nil
}
