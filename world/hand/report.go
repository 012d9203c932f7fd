package hand

import "strings"

// tellReport tells how the world differs from what the program declares.
func (h *Hand) tellReport() {
	for _, r := range []struct {
		what  string
		names []string
	}{
		{"migrated", h.report.Migrated},
		{"new", h.report.New},
		{"dropped", h.report.Dropped},
		{"kept", h.report.Kept},
	} {
		if len(r.names) > 0 {
			h.options.say("hand: %s: %s", r.what, strings.Join(r.names, ", "))
		}
	}
}
