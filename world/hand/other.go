//go:build !linux

package hand

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"

	"github.com/flatecs/flatecs/world"
)

const hangUp = syscall.SIGTERM // unsupported or without this meaning here

const canSupervise = false

var errNone = fmt.Errorf("hand: handing a world over, on %s: %w", runtime.GOOS,
	errors.ErrUnsupported)

type joined struct{}

func (joined) supervised() bool { return false }

func (joined) handOver(world.State) bool { return false }

func (joined) copyWorld(world.State) {}

func (joined) answer() {}

func (joined) refuse(int, error) error { return nil }

func (joined) say(string) {}

func (joined) close() {}

func (h *Hand) join() error { return nil }

func (h *Hand) take(world.Counts) (s world.State, ok bool, err error) { return s, false, nil }

const leaving = ""

// Undo does nothing: there is no supervisor.
func (h *Hand) Undo() { h.mustBeOpen() }

// Ready returns nil: there is no supervisor.
func (h *Hand) Ready() error { return nil }

func duplicate(*os.File) (*os.File, error) { return nil, errNone }

// Supervise returns an error that wraps [errors.ErrUnsupported].
func Supervise(Supervisor) (code int, err error) { return 1, errNone }
