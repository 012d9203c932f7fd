// Package allow checks the comments by which a program allows what other checks find.
package allow

import (
	"golang.org/x/tools/go/analysis"

	"github.com/flatecs/flatecs/cmd/vet/internal/report"
)

const doc = `report allowances without a check or a reason

	//flatecs:allow deterministic the page shows how long a frame took

allows what the named check finds on that line, on the next one, or in the whole function in whose
comment it stands. The check must be one of these, and a reason must follow it.`

// For returns an analyzer that knows the given checks.
func For(checks ...*analysis.Analyzer) *analysis.Analyzer {
	known := map[string]bool{}
	for _, check := range checks {
		known[check.Name] = true
	}
	return &analysis.Analyzer{
		Name: "allow",
		Doc:  doc,
		Run: func(pass *analysis.Pass) (any, error) {
			run(pass, known)
			return nil, nil
		},
	}
}

func run(pass *analysis.Pass, known map[string]bool) {
	for _, file := range pass.Files {
		for _, group := range file.Comments {
			for _, comment := range group.List {
				check, reason, ok := report.Parse(comment.Text)
				switch {
				case !ok:
				case !known[check]:
					pass.Reportf(comment.Pos(), "no check is called %q; "+
						"write //flatecs:allow check reason", check)
				case reason == "":
					pass.Reportf(comment.Pos(), "nothing says why; "+
						"write //flatecs:allow %s reason", check)
				}
			}
		}
	}
}
