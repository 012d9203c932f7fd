package hand

import (
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"time"
)

// carried is the data that goes to the next program besides the world.
type carried struct {
	mutex     sync.Mutex // for Hand.Listen
	listeners []*listener
	offered   func(*Offer) error
	keeps     []kept // also added to every copy of the world
	tape      *Tape  // nil: none
}

// A kept function appends bytes that travel with every copy of the world.
type kept struct {
	name  string
	state func(dst []byte) []byte
}

// A cargo is the encoded data that travels with the world.
type cargo struct {
	Files  map[string]*os.File `json:"-"`
	Bytes  map[string][]byte
	Unread map[string][]byte // by connection
	Order  []string          // names of connections
	Steps  int               // steps of the tape
	Inputs []byte            // inputs of the tape
}

// received is the data from the previous program.
type received struct {
	cargo
	taken   bool          // it includes a world
	stopped int64         // end of the previous program's last step
	lost    time.Duration // play time that may be lost
	tape    time.Duration // requested length of a Tape; 0: none
}

// the names of other data have a prefix
const tapeKey = "tape" // beside the names that have a word before theirs

// An Offer collects the data that travels with the world.
type Offer struct {
	cargo
	owned   []*os.File // duplicates
	refused func()
}

// OnRefused registers f, which is called if the next program refuses. It restarts what the function
// of [Hand.OnOffer] stopped.
func (o *Offer) OnRefused(f func()) { o.mustBeOpen().refused = f }

// Conn adds a connection, with bytes that were read from it but not used yet. Stop using the
// connection when the next program plays. Conn returns [ErrRefused], wrapped, if it is not a
// connection of the operating system, such as a TLS connection.
func (o *Offer) Conn(name string, c net.Conn, unread []byte) error {
	o.mustBeOpen()
	filer, ok := c.(interface{ File() (*os.File, error) })
	if !ok {
		return fmt.Errorf("hand: %s: a %T does not travel, as its state is in this program: %w; "+
			"hand over the connection below it, and its state as Bytes", name, c, ErrRefused)
	}
	f, err := filer.File()
	if err != nil {
		return fmt.Errorf("hand: %s: %w", name, err)
	}
	if err := o.add("conn "+name, f); err != nil {
		return err
	}
	o.Unread[name] = unread
	o.Order = append(o.Order, name)
	return nil
}

// File adds a duplicate of a file; f stays open.
func (o *Offer) File(name string, f *os.File) error {
	if o.mustBeOpen(); f == nil {
		return fmt.Errorf("hand: %s: a nil file does not travel: %w; open it first", name,
			ErrRefused)
	}
	copied, err := duplicate(f)
	if err != nil {
		return fmt.Errorf("hand: %s: %w", name, err)
	}
	return o.add("file "+name, copied)
}

func (o *Offer) add(key string, f *os.File) error {
	o.owned = append(o.owned, f)
	if o.Files[key] != nil {
		return fmt.Errorf("hand: %s is offered twice: %w; give each a name of its own", key,
			ErrRefused)
	}
	o.Files[key] = f
	return nil
}

// Bytes adds bytes, which are not copied.
func (o *Offer) Bytes(name string, b []byte) { o.mustBeOpen().cargo.Bytes[name] = b }

// mustBeOpen returns o. It panics if Continue did not create o.
func (o *Offer) mustBeOpen() *Offer {
	if o == nil || o.Files == nil {
		panic("hand: this Offer is nil, or was not made; Hand.OnOffer's function gets one")
	}
	return o
}

func newOffer() *Offer {
	return &Offer{cargo: cargo{
		Files: map[string]*os.File{}, Bytes: map[string][]byte{}, Unread: map[string][]byte{},
	}}
}

func (o *Offer) close() {
	for _, f := range o.owned {
		_ = f.Close()
	}
}

// A Conn is a connection from the previous program.
type Conn struct {
	net.Conn
	Name   string
	Unread []byte // read but not used by the previous program
}

// conns returns the connections in the previous program's order. Only the first call returns them.
func (r *received) conns() (all []Conn, err error) {
	for _, name := range r.Order {
		f := r.Files["conn "+name]
		if f == nil {
			continue
		}
		c, connErr := net.FileConn(f)
		err = errors.Join(err, connErr, f.Close())
		if connErr == nil {
			all = append(all, Conn{Conn: c, Name: name, Unread: r.Unread[name]})
		}
	}
	r.Order = nil
	return all, err
}
