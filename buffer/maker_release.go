//go:build !ecsdebug

package buffer

// A maker does nothing; see the one for -tags ecsdebug.
type maker struct{}

func (*maker) watch(*Range) {}

func (*maker) closed() {}

// keepsSpares lets memory be used again.
const keepsSpares = true
