package schedule

import "context"

// Browsers have profilers of their own, and Go's would be 100 kB of what they load.
func label(string) context.Context { return context.Background() }

func setLabel(context.Context) {}
