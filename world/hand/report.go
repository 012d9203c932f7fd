package hand

import (
	"strings"

	"github.com/flatecs/flatecs/world/save"
)

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
		{"kept aside, and not used", h.report.Aside},
		{"back", h.report.Returned},
	} {
		if len(r.names) > 0 {
			h.options.say("hand: %s: %s", r.what, strings.Join(r.names, ", "))
		}
	}
}

// reading returns the options to read worlds with: under a supervisor a field that this version
// lacks is kept beside the world, for the versions that have it.
func (h *Hand) reading() save.Options {
	o := h.options.Save
	o.KeepFields = o.KeepFields || h.supervised()
	return o
}
