package save

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"testing"
)

var executions = flag.Int("save.executions", 500, "how many hostile inputs each decoder gets")

// TestHostileInputs gives each decoder inputs that begin as ones that are right: what fuzzing does,
// without the time that it takes to look at coverage.
func TestHostileInputs(t *testing.T) {
	file := write(t, small(t), smallOptions())
	packed := compress(bytes.Repeat([]byte("a save file is flat "), 900))
	var countersOf []byte // parts of motley worlds
	for i, p := range motleyParts(t) {
		if p.name == counters {
			countersOf = append(countersOf, byte(i))
		}
	}
	head := little.Uint32(file[atHeader:])
	for name, decode := range map[string]func(*testing.T, *rand.Rand){
		"load": func(t *testing.T, r *rand.Rand) {
			t.Helper()
			edits := make([]byte, 6*(1+r.IntN(4)))
			for i := range edits {
				edits[i] = byte(r.Uint32())
			}
			for i := 0; i < len(edits); i += 6 {
				if edits[i+4] >= 250 && r.IntN(4) > 0 {
					edits[i+4] = 0
				}
				if r.IntN(2) == 0 {
					edits[i+5] = []byte{0, 1, 2, 63, 64, 127, 128, 255}[r.IntN(8)]
				}
				edits[i+3] = byte(r.IntN(2))
			}
			defer func() {
				if t.Failed() {
					t.Logf("edits %v", edits)
				}
			}()
			edited(t, file, edits)
		},
		"lives": func(t *testing.T, r *rand.Rand) {
			t.Helper()
			seed, edits := byte(r.Uint32()), randomEdits(r, countersOf)
			defer func() {
				if t.Failed() {
					t.Logf("seed %d, edits %v", seed, edits)
				}
			}()
			livesAny(t, seed, edits)
		},
		"read": func(t *testing.T, r *rand.Rand) { t.Helper(); readAny(t, mutated(r, file)) },
		"header": func(t *testing.T, r *rand.Rand) {
			t.Helper()
			headerAny(t, file[:atFlags], mutated(r, file[atFlags:head]))
		},
		"values": func(t *testing.T, r *rand.Rand) {
			t.Helper()
			valuesAny(t, mutated(r, []byte{1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0}), mutated(r, []byte("abc")))
		},
		"zstd": func(t *testing.T, r *rand.Rand) {
			t.Helper()
			zstdAny(t, mutated(r, packed), uint32(18000+r.IntN(3)-1))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(7, uint64(*executions)))
			for range *executions {
				decode(t, r)
			}
		})
	}
}

// mutated returns a copy of b with a few changes.
func mutated(r *rand.Rand, b []byte) []byte {
	b = bytes.Clone(b)
	for range 1 + r.IntN(4) {
		if len(b) == 0 {
			return b
		}
		at := r.IntN(len(b))
		if r.IntN(2) == 0 { // where something is said
			at = r.IntN(min(len(b), 4096))
		}
		switch r.IntN(8) {
		case 0, 1, 2:
			b[at] = []byte{0, 1, 2, 127, 128, 255}[r.IntN(6)]
		case 3, 4:
			b[at] ^= 1 << r.IntN(8)
		case 5:
			b[at] += byte(r.Uint32())
		case 6:
			b[at] = b[r.IntN(len(b))]
		case 7:
			if r.IntN(8) == 0 {
				b = b[:at]
			}
		}
	}
	return b
}

// randomEdits returns edits of [FuzzLives]: most are small numbers, and in counters.
func randomEdits(r *rand.Rand, countersOf []byte) []byte {
	edits := make([]byte, 8*(1+r.IntN(3)))
	for i := range edits {
		edits[i] = byte(r.Uint32())
	}
	for e := edits; len(e) > 0; e = e[8:] {
		e[0] %= 8
		if r.IntN(40) == 0 {
			e[0] = 255
		}
		e[3], e[5] = byte(r.IntN(2)), e[5]%4
		if r.IntN(2) == 0 { // near the beginning
			e[2], e[3] = e[2]%16, 0
		}
		if r.IntN(2) == 0 { // in counters
			e[1] = countersOf[r.IntN(len(countersOf))]
		}
		if r.IntN(4) > 0 {
			n := []int{1, 1, -1, 2, 63, 64, -64, 0}[r.IntN(8)]
			little.PutUint16(e[6:], uint16(n))
		}
	}
	return edits
}
