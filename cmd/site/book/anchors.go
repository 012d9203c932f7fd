package book

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
)

// anchors names headings as GitHub does, for whose readers the links in the pages were written.
type anchors struct{ taken map[string]int }

// Generate implements parser.IDs.
func (a *anchors) Generate(value []byte, _ ast.NodeKind) []byte {
	id := anchor(string(value))
	n := a.taken[id]
	a.taken[id]++
	if n > 0 {
		id = fmt.Sprintf("%s-%d", id, n)
	}
	return []byte(id)
}

// Put implements parser.IDs.
func (a *anchors) Put(value []byte) { a.taken[string(value)]++ }

// anchor returns a heading's name: letters and digits in lower case, hyphens for spaces.
func anchor(words string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(words))
}
