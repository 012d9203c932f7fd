//go:build unix && !linux

package term

func unstick(int) bool { return false }
