package turns

import (
	"fmt"
	"io"
	"math"
	"strings"
)

// Table writes rows as a table of Markdown. The first is the head; figures stand to the right, and
// so do the first fields, unless the head's is no more than a name.
func Table(w io.Writer, rows [][]string) {
	for i, row := range rows {
		_, _ = fmt.Fprintf(w, "| %s |\n", strings.Join(row, " | "))
		if i == 0 {
			first := "---|"
			if row[0] == "n" { // numbers stand below it, not names
				first = "---:|"
			}
			_, _ = io.WriteString(w, "|"+first+strings.Repeat("---:|", len(row)-1)+"\n")
		}
	}
}

// Figure writes a number with three digits that count.
func Figure(x float64) string {
	switch size := math.Abs(x); {
	case size < 10:
		return fmt.Sprintf("%.2f", x)
	case size < 100:
		return fmt.Sprintf("%.1f", x)
	}
	return Count(int(math.Round(x)))
}

// Count writes a number with commas between thousands.
func Count(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
