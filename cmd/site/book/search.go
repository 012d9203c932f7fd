package book

import (
	"encoding/json"
	"strings"
)

// longest is how many bytes of a section's words are searched.
const longest = 2_000

// index returns what is searched: the sections of all pages, in their order.
func (b *book) index() []byte {
	type found struct {
		Pages    map[string]string `json:"pages"` // titles, by name
		Sections []section         `json:"sections"`
	}
	all := found{Pages: map[string]string{}}
	for _, p := range b.pages {
		all.Pages[p.name] = p.Title
		for _, s := range p.sections {
			s.Text = strings.Join(strings.Fields(s.Text), " ")
			// No letter is cut.
			s.Text = strings.ToValidUTF8(s.Text[:min(len(s.Text), longest)], "")
			all.Sections = append(all.Sections, s)
		}
	}
	text, err := json.Marshal(all)
	if err != nil {
		b.fail("search.json: %w", err)
	}
	return text
}
