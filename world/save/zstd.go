package save

import (
	"bytes"

	"github.com/klauspost/compress/zstd"
)

// compress returns b by zstd, or nil where that takes no fewer pages.
func compress(b []byte) []byte {
	var small bytes.Buffer
	w, err := zstd.NewWriter(&small, zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderCRC(false),
		zstd.WithWindowSize(1<<20), zstd.WithZeroFrames(true))
	if err == nil {
		if _, err = w.Write(b); err == nil {
			err = w.Close()
		}
	}
	if err != nil {
		panic("save: zstd into memory fails; report this: " + err.Error())
	}
	if aligned(uint64(small.Len())) >= aligned(uint64(len(b))) {
		return nil
	}
	return small.Bytes()
}
