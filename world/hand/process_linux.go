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

// A child is a program that a supervisor started.
type child struct {
	path    string
	command *exec.Cmd
	wire    wire
	crash   *os.File // the runtime's output of a panic
	started time.Time
	stepped bool   // it has finished a step
	leaves  bool   // it announced its end
	copy    moment // the last copy of its world
	gone    bool
}

// children are the programs that a supervisor started.
type children struct {
	args     []string
	arrivals chan arrival
	done     chan struct{} // closed when arrivals are not received any more
}

// An arrival is a child's message, or its end.
type arrival struct {
	from *child
	message
	ended bool
}

func newChildren(args []string) children {
	return children{args: args, arrivals: make(chan arrival), done: make(chan struct{})}
}

// start starts a program, and a goroutine that reads its messages.
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
	c.command = exec.Command(path, all.args...) //nolint:gosec,noctx // the caller chose it
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

// listen passes on a child's messages, and finally its end.
func (c *child) listen(to *children) {
	for {
		m, err := c.wire.receive()
		if err != nil {
			break
		}
		to.add(arrival{from: c, message: m})
	}
	_ = c.command.Wait() // the process state contains the result
	to.add(arrival{from: c, ended: true})
}

// update handles messages that a child may send at any time. It returns false for other messages.
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

// close releases the resources of a child that has ended.
func (c *child) close() {
	c.gone = true
	_ = c.wire.Close()
	_ = c.crash.Close()
}

// end describes how a child ended, with the first lines of its panic.
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

// add passes an arrival to the goroutine of Supervise, unless that has returned.
func (all *children) add(a arrival) {
	select {
	case all.arrivals <- a:
	case <-all.done:
		closeAll(a.files)
	}
}

// codeOf returns the exit code of a child that has ended, as shells define it.
func codeOf(c *child) int {
	if status, ok := c.command.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return c.command.ProcessState.ExitCode()
}
