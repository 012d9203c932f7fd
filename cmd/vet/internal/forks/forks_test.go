package forks_test

import (
	"testing"

	"github.com/flatecs/flatecs/cmd/vet/internal/checktest"
	"github.com/flatecs/flatecs/cmd/vet/internal/forks"
)

func TestForks(t *testing.T) { checktest.Run(t, forks.Analyzer, "forks") }
