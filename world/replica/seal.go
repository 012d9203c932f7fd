package replica

import (
	"encoding/binary"

	"github.com/zeebo/xxh3"

	"github.com/flatecs/flatecs/world/link"
)

var le = binary.LittleEndian

// seal writes the checksum of a datagram.
func seal(b []byte) []byte {
	le.PutUint32(b, checksum(b))
	return b
}

// sealed reports whether a datagram has its checksum, and is not too short or too long.
func sealed(b []byte, least int) bool {
	return len(b) >= least && len(b) <= link.MaxDatagram &&
		le.Uint32(b) == checksum(b)
}

func checksum(b []byte) uint32 { return uint32(xxh3.Hash(b[checkSize:])) }
