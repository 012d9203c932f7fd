package deterministic_test

import (
	"testing"

	"github.com/flatecs/flatecs/cmd/vet/deterministic"
	"github.com/flatecs/flatecs/cmd/vet/internal/checktest"
)

func TestDeterministic(t *testing.T) {
	checktest.Run(t, deterministic.Analyzer, "deterministic")
}

func TestProductsAreMended(t *testing.T) { checktest.Fix(t, deterministic.Analyzer, "fused") }
