package allow_test

import (
	"testing"

	"github.com/flatecs/flatecs/cmd/vet/allow"
	"github.com/flatecs/flatecs/cmd/vet/dropped"
	"github.com/flatecs/flatecs/cmd/vet/internal/checktest"
)

func TestAllowancesNameACheckAndAReason(t *testing.T) {
	checktest.Run(t, allow.For(dropped.Analyzer), "allowances")
}
