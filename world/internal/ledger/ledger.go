// Package ledger has the lines of files that programs append to: journals of sweeps, and corpora of
// hunts. A line is the xxh3 of a JSON text as 16 hexadecimal digits, a space, and the text.
package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/world/internal/mapping"
)

// Open opens or creates a file for one writer: busy reports whether another program is it. The lock
// ends with the program. Where there are no locks, two programs may share a file.
func Open(name string) (file *os.File, busy bool, err error) {
	if file, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666); err != nil {
		return nil, false, err
	}
	if alone, err := mapping.Lock(file, 0, mapping.Writing); !alone && err == nil {
		return nil, true, file.Close()
	}
	return file, false, nil
}

// Lines calls f with the lines of a content and their JSON, up to the first damaged one, and
// returns the number of bytes before that.
func Lines(content []byte, f func(line, text []byte) error) (good int, err error) {
	for line := range bytes.Lines(content) {
		text, ok := Check(line)
		if !ok {
			break
		}
		if err := f(line, text); err != nil {
			return good, err
		}
		good += len(line)
	}
	return good, nil
}

// Append appends a line to dst.
func Append(dst, text []byte) []byte {
	dst = fmt.Appendf(dst, "%016x ", xxh3.Hash(text))
	return append(append(dst, text...), '\n')
}

// Check returns the JSON of a whole line.
func Check(line []byte) (text []byte, ok bool) {
	if len(line) < 18 || line[16] != ' ' || line[len(line)-1] != '\n' {
		return nil, false
	}
	sum, err := strconv.ParseUint(string(line[:16]), 16, 64)
	text = bytes.TrimSuffix(line[17:len(line)-1], []byte("\r"))
	return text, err == nil && sum == xxh3.Hash(text)
}

// Build returns the hash of the program's file.
func Build() (string, error) {
	var file *os.File
	name, err := os.Executable()
	if err == nil {
		file, err = os.Open(name)
	}
	h := xxh3.New()
	if err == nil {
		_, err = io.Copy(h, file)
		err = errors.Join(err, file.Close())
	}
	return fmt.Sprintf("%016x", h.Sum64()), err
}
