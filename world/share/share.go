package share

import (
	"encoding/binary"
	"errors"

	"github.com/flatecs/flatecs/world/internal/failure"
)

const (
	magic     = "\x89FLATS\r\n"
	byteOrder = 0x01020304 // little-endian: 04 03 02 01
	version   = 1
	page      = 4096
	maxSlots  = 64
	usual     = 4 // slots

	// Offsets in the head.
	atOrder   = 8
	atVersion = 12
	atSlot    = 16 // bytes of a slot
	atSlots   = 24
	atLatest  = 32 // number of the frame × 256 + its slot; 0: none
	atFrames  = 64 // per slot: 2 × the number of its frame; odd while it is written

	// Locked bytes.
	lockWriter = 0
	lockSlots  = 1 // lock of the first slot
)

var little = binary.LittleEndian

// Errors of this package. The returned errors wrap them; test for them with errors.Is.
var (
	ErrFormat = errors.New("no shared world")            // or a damaged one
	ErrPinned = errors.New("readers hold every slot")    // in Offer: nothing was published
	ErrNone   = errors.New("no frame was published yet") // or none is complete
)

const published = "name a file of a Publisher"

func wrap(err error, format string, args ...any) error {
	return failure.Wrap("share", err, published, format, args...)
}
