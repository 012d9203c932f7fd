package save

import (
	"strings"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems"
)

// isReader reports whether a field of a kind is the position of a reader of the program's events.
func isReader(c *systems.Counts, k, field string) bool {
	if !strings.HasPrefix(field, systems.ReadBy) {
		return false
	}
	for _, e := range c.Events {
		if _, readers := systems.EventKinds(e); k == readers.String() {
			return true
		}
	}
	return false
}

// reader names the reader whose position a field of k is.
func (k *FileKind) reader(field string) string {
	return "reader " + layout.Quoted(strings.TrimPrefix(field, systems.ReadBy)) + " of " +
		layout.Quoted(strings.TrimPrefix(k.Name, systems.ReadersOf))
}
