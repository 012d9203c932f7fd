package arena

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/flatecs/flatecs/world"
)

// Magic is the first line of recordings of arenas:
//
//	flatecs arena 1
//	behaviour 1
//	players 1024                           room for so many
//	seed 7
//	1 0123456789abcdef +0:8000000000000001 tick, digest after it, who came to which seat
//	2 fedcba9876543210 0=05 1=10           and inputs in hexadecimal, by seats
//	3 aaaabbbbccccdddd -1                  and which seats were left
//	end 3
const Magic = "flatecs arena 1"

// Behaviour is the version of what a tick does.
const Behaviour = 1

// ErrRecording is the error of what is no recording of an arena.
var ErrRecording = errors.New("this is no recording of an arena")

// A Writer writes a recording.
type Writer struct {
	out   *bufio.Writer
	ticks int
}

// NewWriter begins a recording of a host that was made with these, and took no tick.
func NewWriter(w io.Writer, players int, seed uint64) *Writer {
	out := bufio.NewWriter(w)
	_, _ = fmt.Fprintf(out, "%s\nbehaviour %d\nplayers %d\nseed %d\n", Magic, Behaviour, players,
		max(seed, 1)) // Flush says the error
	return &Writer{out: out}
}

// add writes a tick down.
func (w *Writer) add(t *moves, after world.State) error {
	if w == nil {
		return nil
	}
	w.ticks++
	_, _ = fmt.Fprintf(w.out, "%d %016x", w.ticks, world.Digest(after))
	for _, a := range t.came {
		_, _ = fmt.Fprintf(w.out, " +%d:%016x", a.seat, a.who)
	}
	for _, n := range t.went {
		_, _ = fmt.Fprintf(w.out, " -%d", n)
	}
	for _, p := range t.pressed {
		_, _ = fmt.Fprintf(w.out, " %d=%02x", p.seat, p.input)
	}
	return w.out.WriteByte('\n')
}

// Close ends the recording. It does not close what was given to NewWriter.
func (w *Writer) Close() error {
	_, _ = fmt.Fprintf(w.out, "end %d\n", w.ticks)
	return w.out.Flush()
}

// A Recording is what was written down.
type Recording struct {
	Behaviour uint32
	Players   int
	Seed      uint64
	Digests   []uint64 // after each tick
	turns     []moves
}

// Read reads a recording, which may come from anywhere. The error wraps [ErrRecording], or is that
// of r.
func Read(r io.Reader) (*Recording, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	rec := &Recording{}
	var magic strings.Builder
	for n := 0; n < 4 && lines.Scan(); n++ {
		magic.WriteString(lines.Text() + "\n")
	}
	var again strings.Builder
	head := Magic + "\nbehaviour %d\nplayers %d\nseed %d\n"
	_, err := fmt.Sscanf(magic.String(), head, &rec.Behaviour, &rec.Players, &rec.Seed)
	_, _ = fmt.Fprintf(&again, head, rec.Behaviour, rec.Players, rec.Seed)
	if err != nil || again.String() != magic.String() || rec.Players < 1 ||
		rec.Players > maxPlayers {
		return nil, errors.Join(lines.Err(), fmt.Errorf("%w: it begins otherwise", ErrRecording))
	}
	for lines.Scan() {
		tick, rest, _ := strings.Cut(lines.Text(), " ")
		if tick == "end" && rest == strconv.Itoa(len(rec.turns)) && !lines.Scan() {
			return rec, lines.Err()
		}
		if tick != strconv.Itoa(len(rec.turns)+1) || !rec.read(strings.Split(rest, " ")) {
			return nil, fmt.Errorf("%w: tick %d is %q", ErrRecording, len(rec.turns)+1,
				lines.Text()[:min(len(lines.Text()), 80)])
		}
	}
	return nil, errors.Join(lines.Err(), fmt.Errorf("%w: it was cut off after tick %d",
		ErrRecording, len(rec.turns)))
}

// read reads a tick.
func (r *Recording) read(words []string) bool {
	digest, err := strconv.ParseUint(words[0], 16, 64)
	if err != nil {
		return false
	}
	var t moves
	for _, w := range words[1:] {
		number, value, pressed := strings.Cut(w, "=")
		switch {
		case pressed:
			n, ok := r.seat(number)
			in, err := strconv.ParseUint(value, 16, 8)
			if !ok || err != nil {
				return false
			}
			t.pressed = append(t.pressed, press{n, Input(in)})
		case strings.HasPrefix(w, "+"):
			number, value, _ := strings.Cut(w[1:], ":")
			n, ok := r.seat(number)
			id, err := strconv.ParseUint(value, 16, 64)
			if !ok || err != nil {
				return false
			}
			t.came = append(t.came, arrival{n, id})
		default:
			n, ok := r.seat(strings.TrimPrefix(w, "-"))
			if !ok || !strings.HasPrefix(w, "-") {
				return false
			}
			t.went = append(t.went, n)
		}
	}
	r.Digests, r.turns = append(r.Digests, digest), append(r.turns, t)
	return true
}

func (r *Recording) seat(text string) (uint16, bool) {
	n, err := strconv.ParseUint(text, 10, 16)
	return uint16(n), err == nil && int(n) < r.Players
}
