package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/flatecs/flatecs/cmd/acts/jsonout"
)

// heroes is the command that plays the heroes' scene.
type heroes struct {
	Act    int    `help:"${act}"    enum:"1,2,3" default:"3"`
	Frames uint64 `help:"${frames}" default:"1"`
	Heroes uint32 `help:"${heroes}" default:"2"`
	Supers uint32 `help:"${supers}" default:"2"`

	Positions  *uint32 `help:"${positions}"  placeholder:"N"`
	Velocities *uint32 `help:"${velocities}" placeholder:"N"`
	Flies      *uint32 `help:"${flies}"      placeholder:"N"`

	State   string `help:"${state}"  enum:"last,every,none" default:"last"`
	Render  string `help:"${render}" enum:"log,none"        default:"log"`
	Digest  string `help:"${digest}" enum:"last,every,none" default:"none"`
	Summary bool   `help:"${summary}"`

	Profiles profiles `embed:"" group:"Profiling"`
}

var errInterrupted = errors.New("interrupted")

// Validate refuses combinations that make no sense.
func (h *heroes) Validate() error {
	if err := h.Profiles.apart(); err != nil || h.Act == 3 {
		return err
	}
	if h.Digest != "none" {
		return fmt.Errorf("--digest: act %d has no bytes to digest; only act 3 has", h.Act)
	}
	var given []string
	for _, flag := range []struct {
		name  string
		value *uint32
	}{{"--positions", h.Positions}, {"--velocities", h.Velocities}, {"--flies", h.Flies}} {
		if flag.value != nil {
			given = append(given, flag.name)
		}
	}
	if given != nil {
		return fmt.Errorf("%s: act %d has no buffers to size; only act 3 has",
			strings.Join(given, ", "), h.Act)
	}
	return nil
}

// Run plays the scene.
func (h *heroes) Run(ctx context.Context, s streams) error {
	stop, err := h.Profiles.start(s.err)
	if err != nil {
		return err
	}
	err = h.play(ctx, s)
	if stopErr := stop(); err == nil {
		err = stopErr
	}
	return err
}

func (h *heroes) play(ctx context.Context, s streams) error {
	out := bufio.NewWriterSize(s.out, 1<<16)
	m := newMeter(h.Summary)
	act, err := h.open(out, m)
	if err != nil {
		return err
	}
	defer act.close()
	act.begin()
	played, err := h.frames(ctx, act, out, m)
	if flushErr := out.Flush(); err == nil {
		err = flushErr
	}
	if h.Summary && !isClosedPipe(err) {
		cost := h.summary(played, act, m)
		cost.print(s.err)
	}
	return err
}

// frames plays the frames and prints the state. It returns how many it played to the end.
func (h *heroes) frames(ctx context.Context, act act, out *bufio.Writer, m *meter) (uint64, error) {
	state := jsonout.New(out)
	m.watch()
	defer m.unwatch()
	for played := range h.Frames {
		if ctx.Err() != nil {
			return played, errInterrupted
		}
		act.frame()
		if h.State == "every" || h.Digest == "every" {
			m.unwatch()
			h.tell(h.State == "every", h.Digest == "every", act, state, out, played+1)
			m.watch()
		}
		if err := m.flushNowAndThen(out); err != nil {
			return played, err
		}
	}
	m.unwatch()
	h.tell(h.State == "last", h.Digest == "last", act, state, out, h.Frames)
	return h.Frames, nil
}

// tell prints the state and its digest, if they are asked for.
func (h *heroes) tell(
	state, digest bool, act act, to *jsonout.Writer, out *bufio.Writer, frame uint64,
) {
	if state {
		act.writeState(to)
	}
	if third, ok := act.(*thirdAct); ok && digest {
		printDigest(out, frame, third.state)
	}
}
