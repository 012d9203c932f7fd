package scene

import (
	"fmt"
	"strings"

	"github.com/flatecs/flatecs/systems/tool"
)

// Suggest lists names for a user who wrote an unknown one, and suggests the most similar name.
func Suggest(wrong string, names []string) string {
	list := "there are " + strings.Join(names, ", ")
	if nearest := Nearest(wrong, names); nearest != "" {
		return fmt.Sprintf("did you mean %q? %s", nearest, list)
	}
	return list
}

// Nearest returns the most similar name, or "".
func Nearest(wrong string, names []string) string {
	nearest, least := "", min(len(wrong)/2, 2)+1
	for _, name := range names {
		if d := tool.Distance(wrong, name); d < least || d > 0 && strings.HasPrefix(name, wrong) {
			nearest, least = name, d
		}
	}
	if wrong == "" {
		return ""
	}
	return nearest
}
