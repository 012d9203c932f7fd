package kept_test

import (
	"testing"

	"github.com/flatecs/flatecs/cmd/vet/internal/checktest"
	"github.com/flatecs/flatecs/cmd/vet/kept"
)

func TestKept(t *testing.T) { checktest.Run(t, kept.Analyzer, "kept") }
