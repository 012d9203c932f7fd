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

const hangUp = syscall.SIGTERM // there is none, or it means nothing here

const canSupervise = false

var errNone = fmt.Errorf("hand: handing a world over, on %s: %w", runtime.GOOS,
	errors.ErrUnsupported)

type joined struct{}

func (h *Hand) join() error { return nil }

func (h *Hand) supervised() bool { return false }

func (h *Hand) leave() {}

func (h *Hand) take(world.Counts) (s world.State, ok bool, err error) { return s, false, nil }

func (h *Hand) refuse(error) error { return nil }

func (h *Hand) playsOn() {}

func (h *Hand) copyWorld(world.State) {}

func (h *Hand) say(string) {}

const leaving = ""

// Undo does nothing: nobody supervises this program.
func (h *Hand) Undo() { h.mustBeOpen() }

func (h *Hand) handOver(world.State) bool { return false }

// Ready returns nil: nobody supervises this program.
func (h *Hand) Ready() error { return nil }

func duplicate(*os.File) (*os.File, error) { return nil, errNone }

// Supervise returns an error that wraps [errors.ErrUnsupported].
func Supervise(Supervisor) (code int, err error) { return 1, errNone }
