package term

import (
	"io"
	"os"
	"time"
	"unicode/utf8"
)

// A Key is a pressed key: the rune that it types, or one of the constants.
type Key rune

// Keys that do not type a rune.
const (
	Enter  Key = 13
	Escape Key = 27
	Space  Key = ' '
	Up     Key = -1 - iota
	Down
	Right
	Left
	Click // the first mouse button
)

const (
	ctrlC Key = 3
	ctrlZ Key = 26
)

// readKeys sends typed keys until reading fails. It drops keys that are not received in time.
func (c *Canvas) readKeys(in io.Reader) {
	defer close(c.keys)
	buffer := make([]byte, 256)
	for {
		if !c.awaitKeys(in) {
			return
		}
		n, err := in.Read(buffer)
		for typed := buffer[:n]; len(typed) > 0; {
			key, size := parseKey(typed)
			typed = typed[size:]
			switch key {
			case 0:
			case ctrlC:
				c.end(os.Interrupt)
			case ctrlZ:
				c.stopJob()
			default:
				select {
				case c.keys <- key:
				default:
				}
			}
		}
		if err != nil {
			return
		}
	}
}

// awaitKeys waits for input for this canvas: while it is paused, keys are for another program. It
// returns false when the canvas is closed.
func (c *Canvas) awaitKeys(in io.Reader) bool {
	const patience = 100 * time.Millisecond
	file, ok := in.(*os.File)
	for ok {
		c.mu.Lock()
		taken, closed := c.taken, c.closed
		c.mu.Unlock()
		switch {
		case closed:
			return false
		case !taken:
			time.Sleep(patience / 10)
		case typed(file, patience):
			return true
		}
	}
	return true
}

// parseKey returns the first key of the input, and its length in bytes; 0 for other input.
func parseKey(typed []byte) (Key, int) {
	if typed[0] != byte(Escape) {
		r, size := utf8.DecodeRune(typed)
		if r == utf8.RuneError {
			return 0, size
		}
		if r == '\n' {
			r = rune(Enter)
		}
		return Key(r), size
	}
	if len(typed) < 3 || typed[1] != '[' && typed[1] != 'O' {
		return Escape, 1
	}
	end := 2
	for end < len(typed)-1 && (typed[end] < '@' || typed[end] > '~') {
		end++
	}
	return sequence(typed[2:end], typed[end]), end + 1
}

// sequence returns the key for an escape sequence.
func sequence(parameters []byte, final byte) Key {
	switch {
	case final >= 'A' && final <= 'D':
		return Up - Key(final-'A')
	case final == 'M' && len(parameters) > 3 && string(parameters[:3]) == "<0;":
		return Click
	}
	return 0
}
