package tool

import "strings"

// mark is the byte order mark with which some editors begin a text.
const mark = "\ufeff"

var ends = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// PlainText returns a text without a byte order mark and with line feeds as line ends, so that
// texts of all editors are the same.
func PlainText(text string) string { return ends.Replace(strings.TrimPrefix(text, mark)) }

// Distance returns how many letters to add, drop, change or swap with the next one to turn a into
// b.
func Distance(a, b string) int {
	n := len(b) + 1
	before, last, row := make([]int, n), make([]int, n), make([]int, n)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			change := last[j]
			if a[i] != b[j] {
				change++
			}
			row[j+1] = min(change, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
