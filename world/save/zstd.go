package save

import (
	"bytes"

	"github.com/klauspost/compress/zstd"
)

// A compressor compresses the parts of one file. It has one encoder for all of them, which takes
// more memory than most parts.
type compressor struct{ encoder *zstd.Encoder }

// compress returns b by zstd, or nil where that takes no fewer pages.
func (c *compressor) compress(b []byte) []byte {
	if len(b) <= pageSize {
		return nil
	}
	var small bytes.Buffer
	err := c.begin(&small)
	if err == nil {
		if _, err = c.encoder.Write(b); err == nil {
			err = c.encoder.Close()
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

// begin makes dst what is written to next.
func (c *compressor) begin(dst *bytes.Buffer) (err error) {
	if c.encoder != nil {
		c.encoder.Reset(dst)
		return nil
	}
	c.encoder, err = zstd.NewWriter(dst, zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderCRC(false),
		zstd.WithWindowSize(1<<20), zstd.WithZeroFrames(true))
	return err
}
