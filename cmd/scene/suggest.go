package scene

import (
	"fmt"
	"strings"
)

// Suggest lists names for somebody who wrote one that is none of them, and says which was probably
// meant.
func Suggest(wrong string, names []string) string {
	list := "there are " + strings.Join(names, ", ")
	if nearest := Nearest(wrong, names); nearest != "" {
		return fmt.Sprintf("did you mean %q? %s", nearest, list)
	}
	return list
}

// Nearest returns the name that was probably meant, or none.
func Nearest(wrong string, names []string) string {
	nearest, least := "", min(len(wrong)/2, 2)+1
	for _, name := range names {
		if d := distance(wrong, name); d < least || d > 0 && strings.HasPrefix(name, wrong) {
			nearest, least = name, d
		}
	}
	if wrong == "" {
		return ""
	}
	return nearest
}

// distance returns how many letters have to be added, dropped, changed or swapped with the next one
// to make one word of the other.
func distance(a, b string) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row := make([]int, len(b)+1)
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
		before, last = last, row
	}
	return last[len(b)]
}
