// Package ledger has the lines of files that programs append to: journals of sweeps, and corpora of
// hunts. A line is the xxh3 of a JSON text as 16 hexadecimal digits, a space, and the text.
package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"

	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/world/internal/mapping"
)

// ErrShared is the error of a file that another program writes, too.
var ErrShared = errors.New("another program is writing it")

// A File has one writer. Where there are locks, a second one cannot open it. Elsewhere, such as on
// some mounted disks, what both append tells them: the size of the file is the mark of its owner.
type File struct {
	*os.File
	end int64 // of what is there and was written here
}

// Open opens or creates a file for one writer, which has to call [File.Cut] before it writes. The
// lock ends with the program. The error is that of the file system or of check, or wraps
// [ErrShared].
func Open(name string, check func(fs.FileInfo) error) (*File, error) {
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	about, err := file.Stat()
	if err == nil {
		err = check(about)
	}
	if alone, none := mapping.Lock(file, 0, mapping.Writing); err == nil && !alone && none == nil {
		err = ErrShared
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &File{file, 0}, nil
}

// Cut drops what is behind an offset, where the next line is to be written.
func (f *File) Cut(end int64) error {
	f.end = end
	_, err := f.Seek(end, io.SeekStart)
	return errors.Join(f.Truncate(end), err)
}

// Write writes behind what this program has written. The error wraps [ErrShared] if the file has
// other bytes there; they are left as they are.
func (f *File) Write(line []byte) (n int, err error) {
	about, err := f.Stat()
	if err == nil && about.Size() != f.end {
		err = fmt.Errorf("%w: it has %d bytes, not %d", ErrShared, about.Size(), f.end)
	}
	if err == nil {
		n, err = f.File.Write(line)
		f.end += int64(n)
	}
	return n, err
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
