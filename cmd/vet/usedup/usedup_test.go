package usedup_test

import (
	"testing"

	"github.com/flatecs/flatecs/cmd/vet/internal/checktest"
	"github.com/flatecs/flatecs/cmd/vet/usedup"
)

func TestUsedup(t *testing.T) { checktest.Run(t, usedup.Analyzer, "usedup") }
