package main

import (
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/flatecs/flatecs/cmd/vet/allow"
	"github.com/flatecs/flatecs/cmd/vet/deterministic"
	"github.com/flatecs/flatecs/cmd/vet/dropped"
	"github.com/flatecs/flatecs/cmd/vet/kept"
	"github.com/flatecs/flatecs/cmd/vet/readonly"
	"github.com/flatecs/flatecs/cmd/vet/usedup"
)

var checks = []*analysis.Analyzer{
	deterministic.Analyzer,
	dropped.Analyzer,
	kept.Analyzer,
	readonly.Analyzer,
	usedup.Analyzer,
}

func main() { unitchecker.Main(append(checks, allow.For(checks...))...) }
