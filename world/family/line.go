package family

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// A line is a line of a text that is being read, from left to right.
type line struct {
	text   string
	at     int // offset of the next character
	number int // from 1
}

// uncommented returns a line without the comment and the spaces at its end.
func uncommented(s string) string {
	open := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case open && c == '\\':
			i++
		case c == '"':
			open = !open
		case c == '#' && !open && (i == 0 || s[i-1] == ' ' || s[i-1] == '\t'):
			s = s[:i]
		}
	}
	return strings.TrimRight(s, " \t\r")
}

func (l *line) ended() bool { return l.at >= len(l.text) }

func (l *line) space() {
	for !l.ended() && (l.text[l.at] == ' ' || l.text[l.at] == '\t') {
		l.at++
	}
}

// more skips spaces, and reports whether another word follows.
func (l *line) more() bool {
	l.space()
	return !l.ended() && l.text[l.at] != '+'
}

// skip reads a separate word, if it is next.
func (l *line) skip(word string) bool {
	rest, ok := strings.CutPrefix(l.text[l.at:], word)
	if !ok || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return false
	}
	l.at += len(word)
	return true
}

func (l *line) skipByte(c byte) bool {
	if l.ended() || l.text[l.at] != c {
		return false
	}
	l.at++
	return true
}

// word reads a name, plain or in quotes. ok is false for an invalid quoted name.
func (l *line) word() (word string, ok bool) {
	rest := l.text[l.at:]
	if rest == "" || rest[0] != '"' {
		end := strings.IndexAny(rest, " \t:+\"{}[]")
		if end < 0 {
			end = len(rest)
		}
		l.at += end
		return rest[:end], true
	}
	prefix, err := strconv.QuotedPrefix(rest)
	if err != nil {
		return "", false
	}
	l.at += len(prefix)
	word, err = strconv.Unquote(prefix)
	return word, err == nil
}

// column returns the column of an offset in the line, in characters from 1.
func (l *line) column(at int) int {
	return 1 + utf8.RuneCountInString(l.text[:min(at, len(l.text))])
}

// quoted returns a name as written in texts: plain if it consists of ASCII letters, digits, and
// signs without a meaning in texts.
func quoted(name string) string {
	plain := name != "" && name != "-"
	for _, c := range []byte(name) {
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', c == '_', c == '-', c == '.':
		default:
			plain = false
		}
	}
	if plain {
		return name
	}
	return strconv.Quote(name)
}
