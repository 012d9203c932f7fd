package dropped_test

import (
	"testing"

	"github.com/flatecs/flatecs/cmd/vet/dropped"
	"github.com/flatecs/flatecs/cmd/vet/internal/checktest"
)

func TestDropped(t *testing.T) { checktest.Run(t, dropped.Analyzer, "dropped") }
