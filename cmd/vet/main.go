package main

import (
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/flatecs/flatecs/cmd/vet/checks"
)

func main() { unitchecker.Main(append(checks.All, checks.Allow)...) }
