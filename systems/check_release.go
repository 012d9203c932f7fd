//go:build !ecsdebug

package systems

// A walkCheck does nothing; see the one for -tags ecsdebug.
type walkCheck struct{}

func (walkCheck) begin(*walk) {}

func (walkCheck) finish(*walk) {}

func (walkCheck) poison(*walk) {}
