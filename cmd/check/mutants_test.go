package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestMutantsAreLookedForWhenNamed(t *testing.T) {
	for _, s := range steps {
		if s.name == "mutants" {
			t.Error("the mutants are a step of every check")
		}
	}
	var out, errs bytes.Buffer
	if run([]string{"-list"}, &out, &errs) != exitOK || !strings.Contains(out.String(), "\nmutants ") {
		t.Errorf("-list does not tell of them:\n%s%s", &out, &errs)
	}
	out.Reset()
	if run([]string{"-only", "mutants"}, &out, &errs) != exitFailed ||
		!strings.Contains(out.String(), "no package is given; say which by -package") {
		t.Errorf("without a package it says:\n%s%s", &out, &errs)
	}
}
