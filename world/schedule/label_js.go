package schedule

// Browsers have profilers of their own, and Go's would be 100 kB of what they load; contexts alone
// bring how times are written, which is 40 kB.
type labels = *struct{}

func label(string) labels { return nil }

func setLabel(labels) {}

func clearLabel() {}
