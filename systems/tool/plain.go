package tool

import "strings"

// mark is the byte order mark that some editors begin a text with.
const mark = "\ufeff"

var ends = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// PlainText returns a text without a byte order mark, whose lines end in line feeds, as those of
// any editor do after it.
func PlainText(text string) string { return ends.Replace(strings.TrimPrefix(text, mark)) }
