package layout

import "strconv"

// Quoted returns a name for messages: unchanged if it consists of ASCII letters and digits with
// spaces, hyphens, underscores, dots and brackets between them, otherwise in quotes. A name from a
// file may contain any bytes; quoting keeps it from forging lines or commands to a terminal.
func Quoted(name string) string {
	plain := name != "" && name[0] != ' ' && name[len(name)-1] != ' '
	for i := range len(name) {
		plain = plain && isPlain(name[i])
	}
	if plain {
		return name
	}
	return strconv.Quote(name)
}

func isPlain(c byte) bool {
	switch {
	case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9':
		return true
	}
	return c == ' ' || c == '-' || c == '_' || c == '.' || c == '[' || c == ']'
}
