package hand

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"syscall"
)

// A message is a packet between supervisor and program: its kind, JSON, and files.
type message struct {
	Kind        string
	Fingerprint uint64 `json:",omitzero"` // hello, offer: of the world
	Number      int    `json:",omitzero"` // give, offer, cannot: the number of the request
	Why         string `json:",omitempty"`
	More        int    `json:",omitzero"` // number of preceding messages with parts
	Stopped     int64  `json:",omitzero"` // offer, stepping: nanoseconds of mapping.Now
	Beside      bool   `json:",omitzero"` // give: the receiver knows the world already
	Private     bool   `json:",omitzero"` // take: do not modify the world's file
	Loop        int64  `json:",omitzero"` // fresh, take: length of a Tape in nanoseconds
	Keep        int64  `json:",omitzero"` // fresh, take: nanoseconds between copies
	Plays       int64  `json:",omitzero"`

	files []*os.File
}

// Kinds of messages.
const (
	// From a program.
	hello    = "hello"    // it knows such worlds, and waits for one
	offer    = "offer"    // files: world, manifest, and further data
	cannot   = "cannot"   // it does not offer or take a world; with the reason
	ready    = "ready"    // it can play
	stepping = "stepping" // it plays
	stepped  = "stepped"  // it has finished its first step
	copied   = "copied"   // a copy of the world; files: save file, manifest
	leaving  = "leaving"  // it ends deliberately
	parts    = "parts"    // more files, before an offer or a take
	undo     = "undo"     // return to the previous program

	// From the supervisor.
	fresh  = "fresh"  // there is no world: create one
	give   = "give"   // offer the world; files: the token
	take   = "take"   // files: the token, world, manifest, and the rest
	commit = "commit" // play
	resume = "resume" // the new program has failed: continue
	over   = "over"   // the new program plays: end
	loop   = "loop"   // start or end the loop of the tape

	// From the supervisor, and back.
	alive = "alive" // Continue is called
)

const (
	greeting   = "flatecs hand 1" // the first packet, which makes a program a child
	packet     = 32 << 10         // bytes
	perMessage = 200              // files; the system allows 253
	childFile  = 3                // descriptor of a child's connection
	crashFile  = 4                // descriptor of a file for a child's panics
	maxParts   = 1 << 10          // messages
)

// A wire is a connection of packets.
type wire struct {
	*net.UnixConn
	sending *sync.Mutex // keeps the packets of a message together
}

// pair returns a wire, and the file of its other end for a child.
func pair() (wire, *os.File, error) {
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_SEQPACKET|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return wire{}, nil, fmt.Errorf("hand: socketpair: %w", err)
	}
	ours, theirs := os.NewFile(uintptr(fds[0]), "hand"), os.NewFile(uintptr(fds[1]), "hand")
	w, err := wireOf(ours)
	if err != nil {
		return wire{}, nil, errors.Join(err, theirs.Close())
	}
	return w, theirs, nil
}

// wireOf returns a wire that takes over f.
func wireOf(f *os.File) (wire, error) {
	c, err := net.FileConn(f)
	err = errors.Join(err, f.Close())
	if err != nil {
		return wire{}, fmt.Errorf("hand: %w", err)
	}
	u, ok := c.(*net.UnixConn)
	if !ok {
		return wire{}, errors.Join(errors.New("hand: no connection of packets"), c.Close())
	}
	return wire{u, new(sync.Mutex)}, nil
}

// send sends a message, with many files in several packets.
func (w wire) send(m message) error {
	w.sending.Lock()
	defer w.sending.Unlock()
	files := m.files
	m.More = max(0, (len(files)-1)/perMessage)
	for range m.More {
		part := message{Kind: parts, files: files[:perMessage]}
		if err := w.sendOne(part); err != nil {
			return err
		}
		files = files[perMessage:]
	}
	m.files = files
	return w.sendOne(m)
}

func (w wire) sendOne(m message) error {
	const longest = 4 << 10 // bytes of a text; JSON may need six times as much
	m.Why = m.Why[:min(len(m.Why), longest)]
	b, err := json.Marshal(m)
	if err != nil {
		return err
	}
	fds := make([]int, len(m.files))
	for i, f := range m.files {
		if fds[i], err = numberOf(f); err != nil {
			return err
		}
	}
	var rights []byte
	if len(fds) > 0 {
		rights = syscall.UnixRights(fds...)
	}
	if _, _, err = w.WriteMsgUnix(b, rights, nil); err != nil {
		return fmt.Errorf("hand: %s: %w", m.Kind, err)
	}
	return nil
}

// receive returns the next message, with the files of the preceding parts. It returns io.EOF if the
// other side has closed.
func (w wire) receive() (m message, err error) {
	var files []*os.File
	for range maxParts {
		m, err = w.receiveOne()
		files = append(files, m.files...)
		if err != nil {
			closeAll(files)
			return message{}, err
		}
		if m.Kind != parts {
			m.files = files
			return m, nil
		}
	}
	closeAll(files)
	return message{}, fmt.Errorf("hand: more than %d parts", maxParts)
}

func (w wire) receiveOne() (m message, err error) {
	b := make([]byte, packet)
	rights := make([]byte, syscall.CmsgSpace(4*(perMessage+50)))
	n, k, _, _, err := w.ReadMsgUnix(b, rights)
	if errors.Is(err, syscall.ECONNRESET) { // closed; all messages were read
		n, k, _, _, err = w.ReadMsgUnix(b, rights)
	}
	if err != nil || n == 0 {
		if err == nil || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, net.ErrClosed) {
			err = io.EOF
		}
		return m, err
	}
	controls, err := syscall.ParseSocketControlMessage(rights[:k])
	if err != nil {
		return m, fmt.Errorf("hand: %w", err)
	}
	for i := range controls {
		fds, err := syscall.ParseUnixRights(&controls[i])
		if err != nil {
			return m, fmt.Errorf("hand: %w", err)
		}
		for _, fd := range fds {
			m.files = append(m.files, os.NewFile(uintptr(fd), "handed over"))
		}
	}
	if err := json.Unmarshal(b[:n], &m); err != nil {
		return m, fmt.Errorf("hand: a packet of %d bytes: %w", n, err)
	}
	return m, nil
}

// numberOf returns the descriptor of a file without changing the file: Fd would make it blocking,
// for every process that shares it.
func numberOf(f *os.File) (fd int, err error) {
	raw, err := f.SyscallConn()
	if err != nil {
		return 0, err
	}
	err = raw.Control(func(n uintptr) { fd = int(n) })
	return fd, err
}

func duplicate(f *os.File) (*os.File, error) {
	from, err := numberOf(f)
	if err != nil {
		return nil, err
	}
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	fd, err := syscall.Dup(from)
	if err != nil {
		return nil, err
	}
	syscall.CloseOnExec(fd)
	return os.NewFile(uintptr(fd), f.Name()), nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		_ = f.Close()
	}
}
