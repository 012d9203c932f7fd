package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"golang.org/x/term"

	"github.com/flatecs/flatecs/cmd/scene/gallery"
	"github.com/flatecs/flatecs/systems/tool"
)

// A choice is an entry of the menu: a command line, its title, and its description.
type choice struct{ line, shown, about string }

// choices returns the entries: every scene, and its other variants.
func choices() (all []choice) {
	for _, s := range gallery.All() {
		all = append(all, choice{s.Name, "flatecs " + s.Name, s.About})
		for i, v := range s.Variants {
			if i > 0 {
				flag := " --variant " + v.Name
				about := strings.ToUpper(v.About[:1]) + v.About[1:] + "."
				all = append(all, choice{s.Name + flag, " " + flag, about})
			}
		}
	}
	return append(all, choice{"serve", "flatecs serve", "All of them in a browser."})
}

// menu lists the entries. In a terminal it asks for choices until the user quits.
func menu(ctx context.Context, s streams) int {
	in, isFile := s.in.(*os.File)
	asks := shows(s) && isFile && term.IsTerminal(int(in.Fd()))
	for {
		list(s.out, asks)
		if !asks {
			return 0
		}
		line := ask(s, bufio.NewReader(s.in))
		if line == "" {
			return 0
		}
		if err := carryOut(ctx, line); err != nil {
			return exitCode(err, s.err)
		}
	}
}

// carryOut runs a command line as a process, which uses the terminal.
func carryOut(ctx context.Context, line string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, self, strings.Fields(line)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err = cmd.Run()
	if ended, ok := errors.AsType[*exec.ExitError](err); ok && ended.ExitCode() == 130 {
		return errInterrupted
	}
	return err
}

// columns is the width of the menu: the narrowest common terminal.
const columns = 80

// list prints the menu.
func list(out io.Writer, numbered bool) {
	_, _ = fmt.Fprintln(out, "flatecs: a world is one []byte. Scenes and commands:")
	_, _ = fmt.Fprintln(out)
	longest := 0
	for _, c := range choices() {
		longest = max(longest, len(c.shown))
	}
	for i, c := range choices() {
		number := "  "
		if numbered {
			number = fmt.Sprintf("%2d", i+1)
		}
		first := fmt.Sprintf("%s  %-*s   ", number, longest, c.shown)
		about := wrapped(c.about, columns-len(first))
		_, _ = fmt.Fprintf(out, "%s%s\n", first,
			strings.Join(about, "\n"+strings.Repeat(" ", len(first))))
	}
	_, _ = fmt.Fprintln(out, "\nIn a scene, q quits; a line below it lists the other keys.\n"+
		"More: flatecs --help")
}

// wrapped breaks a text of single-byte letters into lines of at most width bytes.
func wrapped(text string, width int) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return append(lines, line)
}

// ask returns the command line that the user chooses, or "" to quit.
func ask(s streams, typed *bufio.Reader) string {
	all := choices()
	for {
		_, _ = fmt.Fprintf(s.out, "\nChoose 1 to %d; Enter: 1; q: quit. ", len(all))
		line, err := typed.ReadString('\n')
		line = strings.TrimSpace(tool.PlainText(line))
		switch n, notNumber := strconv.Atoi(line); {
		case err != nil && line == "", line == "q":
			return ""
		case line == "":
			return all[0].line
		case notNumber == nil && n >= 1 && n <= len(all):
			return all[n-1].line
		}
		_, _ = fmt.Fprintf(s.err, "%s\n", printable(fmt.Sprintf("%q is not in the list", line)))
	}
}
