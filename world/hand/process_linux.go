package hand

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/flatecs/flatecs/world/internal/mapping"
)

// A child is a program that a supervisor has started.
type child struct {
	path    string
	command *exec.Cmd
	wire    wire
	crash   *os.File // what the runtime says of its panic
	started time.Time
	stepped bool   // it has finished a step
	leaves  bool   // it has said that it ends as it wants to
	copy    moment // the last copy of its world
	gone    bool
}

// children are the programs that a supervisor has started.
type children struct {
	args     []string
	arrivals chan arrival
	done     chan struct{} // closed when arrivals are no longer received
}

// An arrival is what a child says, or its end.
type arrival struct {
	from *child
	message
	ended bool
}

func newChildren(args []string) children {
	return children{args: args, arrivals: make(chan arrival), done: make(chan struct{})}
}

// start starts a program, and a goroutine that listens to it.
func (all *children) start(path string) (*child, error) {
	w, theirs, err := pair()
	if err != nil {
		return nil, err
	}
	crash, err := mapping.Scratch("flatecs crash")
	if err != nil {
		return nil, errors.Join(err, theirs.Close(), w.Close())
	}
	c := &child{path: path, wire: w, crash: crash, started: time.Now()}
	c.command = exec.Command(path, all.args...) //nolint:gosec,noctx // what the caller wants
	c.command.Stdin, c.command.Stdout, c.command.Stderr = os.Stdin, os.Stdout, os.Stderr
	c.command.ExtraFiles = []*os.File{theirs, crash} // childFile, crashFile
	_, err = w.Write([]byte(greeting))
	if err == nil {
		err = c.command.Start()
	}
	if err = errors.Join(err, theirs.Close()); err != nil {
		return nil, errors.Join(fmt.Errorf("hand: %w", err), w.Close(), crash.Close())
	}
	go c.listen(all)
	return c, nil
}

// listen passes on what a child says, and in the end that it is gone.
func (c *child) listen(to *children) {
	for {
		m, err := c.wire.receive()
		if err != nil {
			break
		}
		to.add(arrival{from: c, message: m})
	}
	_ = c.command.Wait() // the state says how it ended
	to.add(arrival{from: c, ended: true})
}

// update keeps what a child says of itself at any time. It returns false if that is something else.
func (c *child) update(m *message) bool {
	switch m.Kind {
	case stepped:
		c.stepped = true
	case leaving:
		c.leaves = true
	case copied:
		if len(m.files) != 2 {
			break
		}
		list, err := readManifest(m.files[1])
		if err != nil {
			break
		}
		c.copy.close()
		c.copy = moment{path: c.path, world: m.files[0], manifest: list}
		m.files = m.files[1:]
	default:
		return false
	}
	return true
}

// close releases what a child that has ended had.
func (c *child) close() {
	c.gone = true
	_ = c.wire.Close()
	_ = c.crash.Close()
}

// end returns how a child has ended, and the first lines of its panic.
func (c *child) end() string {
	const most = 8 // lines
	text, _ := io.ReadAll(io.NewSectionReader(c.crash, 0, 4<<10))
	lines := strings.SplitAfterN(string(text), "\n", most+1)
	said := strings.TrimSpace(strings.Join(lines[:min(len(lines), most)], ""))
	if said == "" {
		return c.command.ProcessState.String()
	}
	return c.command.ProcessState.String() + "\n" + said
}

// add passes an arrival to the goroutine of Supervise, if it is still there.
func (all *children) add(a arrival) {
	select {
	case all.arrivals <- a:
	case <-all.done:
		closeAll(a.files)
	}
}

// codeOf returns the exit code of a child that has ended, as shells tell it.
func codeOf(c *child) int {
	if status, ok := c.command.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return c.command.ProcessState.ExitCode()
}
