package report_test

import (
	"testing"

	"github.com/flatecs/flatecs/cmd/vet/deterministic"
	"github.com/flatecs/flatecs/cmd/vet/internal/checktest"
)

func TestAllowancesHideWhatTheyName(t *testing.T) {
	checktest.Run(t, deterministic.Analyzer, "allow")
}
