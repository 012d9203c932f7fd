//go:build !ecsdebug

package systems

// A walkCheck catches writes to what a system only reads, under -tags ecsdebug.
type walkCheck struct{}

func (walkCheck) begin(*walk) {}

func (walkCheck) finish(*walk) {}

func (walkCheck) poison(*walk) {}
