package family

import (
	"fmt"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
)

// The size of a text's trees is bounded, in sum.
const (
	maxMembers = 1 << 16  // of all trees
	maxBytes   = 64 << 20 // size of the members
	maxDepth   = 1000     // of a member
)

// A TextError describes an error in a text of trees, and its position.
type TextError struct {
	Line, Column int // from 1; columns count characters
	Err          error
}

// Error returns the message of e.
func (e *TextError) Error() string {
	if e == nil || e.Err == nil {
		return "family: the zero TextError"
	}
	return fmt.Sprintf("family: line %d, column %d: %v", e.Line, e.Column, e.Err)
}

// Unwrap returns the reason.
func (e *TextError) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}

// ParseTrees reads trees from a text, for worlds with the recipes and kinds of counts; for an
// existing world pass [world.CountsOf]. The package comment describes the text. The error is a
// [*TextError]. The limits are 65,536 members, a depth of 1,000, and 64 MB.
func ParseTrees(text string, counts world.Counts) ([]Tree, error) {
	text, r := tool.PlainText(text), newReading(counts)
	for text != "" && r.err == nil {
		r.readLine(&text)
	}
	r.finish()
	if r.err != nil {
		return nil, r.err
	}
	trees := make([]Tree, len(r.roots))
	for i, n := range r.roots {
		trees[i] = n.tree()
	}
	return trees, nil
}

// titleOf returns the name of a field in texts.
func titleOf(f *layout.FieldSpec) string {
	if k := f.Kind; k.Name != f.Name || len(k.Fields) > 1 {
		return k.Name + "." + f.Name
	}
	return f.Name
}
