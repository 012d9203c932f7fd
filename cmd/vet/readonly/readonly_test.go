package readonly_test

import (
	"testing"

	"github.com/flatecs/flatecs/cmd/vet/internal/checktest"
	"github.com/flatecs/flatecs/cmd/vet/readonly"
)

func TestReadonly(t *testing.T) { checktest.Run(t, readonly.Analyzer, "readonly") }
