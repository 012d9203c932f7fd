package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// wrongValues returns values that a flag refuses, of those that everybody types once.
func wrongValues(f *kong.Flag) []string {
	switch kind := f.Target.Type(); {
	case f.Enum != "":
		return []string{"none-of-the-list"}
	case kind == reflect.TypeFor[newFile]():
		return []string{"", "folder"}
	case kind == reflect.TypeFor[newFolder]():
		return []string{"", "file"}
	case kind == reflect.TypeFor[address]():
		return []string{"", "x", "-1", "70000"}
	case f.IsBool():
		return []string{"perhaps"}
	default:
		for kind.Kind() == reflect.Pointer {
			kind = kind.Elem()
		}
		if kind.Kind() == reflect.String || kind.Kind() == reflect.Slice {
			return nil
		}
		return []string{"", "x", "-1", "1e99"}
	}
}

// Every command refuses each of its flags without a value and with a wrong one: the message, one
// line, names the flag, and nothing is written.
func TestEveryFlagOfEveryCommandRefusesWrongValues(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir("folder", 0o700))
	require.NoError(t, os.WriteFile("file", nil, 0o600))
	over, end := context.WithCancel(t.Context())
	end() // what is not refused ends at once
	parser, err := newParser(over, streams{})
	require.NoError(t, err)
	tried, want := 0, 2
	refused := func(text string, args []string, more ...string) {
		tried++
		var out, problem strings.Builder
		args = append(slices.Clip(args), more...)
		code := run(over, args, streams{strings.NewReader(""), &out, &problem})
		said := problem.String()
		assert.Equal(t, want, code, "%q", args)
		assert.Contains(t, said, text, "%q", args)
		assert.Equal(t, 1, strings.Count(said, "\n"), "%q: %q", args, said)
	}
	for _, leaf := range parser.Model.Leaves(true) {
		line := strings.Fields(strings.TrimPrefix(leaf.Path(), "flatecs "))
		refused("unknown flag --fotl", line, "--fotl")
		for _, p := range leaf.Positional {
			if p.Target.Type() == reflect.TypeFor[newFile]() {
				refused("<"+p.Name+">: expected the name of a file", line, "folder")
			}
			if p.Enum != "" {
				line = append(line, p.EnumSlice()[0])
			} else if p.Required {
				line = append(line, "missing")
			}
		}
		for _, f := range leaf.Flags {
			if f.Name == "help" {
				continue
			}
			if !f.IsBool() {
				refused("--"+f.Name, line, "--"+f.Name)
			}
			for _, value := range wrongValues(f) {
				refused("--"+f.Name, line, "--"+f.Name+"="+value)
			}
		}
	}
	assert.Greater(t, tried, 300)
	require.Zero(t, run(t.Context(), strings.Fields("run cubes --count 9 --frames 9 --save a.flat "+
		"--record a.rec"), streams{strings.NewReader(""), io.Discard, io.Discard}))
	over, want = t.Context(), 1
	refused("file/a", []string{"run", "cubes", "--save", "file/a"})
	for _, ext := range []string{".flat", ".rec"} {
		whole, err := os.ReadFile("a" + ext)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile("half"+ext, whole[:len(whole)/2], 0o600))
	}
	for line, other := range map[string]string{
		"verify %": ".rec", "inspect %": ".rec", "diff % a.flat": ".rec", "diff a.flat %": ".rec",
		"replay %": ".flat", "why % --field position": ".flat",
	} {
		half := map[string]string{".rec": "half.flat", ".flat": "half.rec"}[other]
		for _, file := range []string{"missing", "folder", "file", "a" + other, half, os.DevNull} {
			refused(file, strings.Fields(strings.Replace(line, "%", file, 1)))
		}
	}
	files, err := filepath.Glob("*.*")
	require.NoError(t, err)
	for _, file := range files {
		require.NoError(t, os.Remove(file))
	}
	left, err := filepath.Glob("*")
	require.NoError(t, err)
	assert.Equal(t, []string{"file", "folder"}, left, "nothing is written")
}
