package book

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
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
			s.Text = shortened(strings.Join(strings.Fields(s.Text), " "), longest)
			all.Sections = append(all.Sections, s)
		}
	}
	text, err := json.Marshal(all)
	if err != nil {
		b.fail("search.json: %w", err)
	}
	return text
}

// shortened returns so many bytes of a text, or fewer, so that no letter is cut.
func shortened(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}
