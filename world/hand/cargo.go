package hand

import (
	"errors"
	"fmt"
	"net"
	"os"
	"time"
)

// A kept appends bytes that travel with every copy of the world.
type kept struct {
	name  string
	state func(dst []byte) []byte
}

// cargo is what travels beside the world.
type cargo struct {
	Files  map[string]*os.File `json:"-"`
	Bytes  map[string][]byte
	Unread map[string][]byte // of connections
	Order  []string          // of connections
	Steps  int               // of the tape
	Inputs []byte            // of the tape
}

// OnOffer has f called when the world is handed over, in the goroutine of Continue: f stops the
// readers of connections, and gives what travels to the Offer. It is called again at the next time
// if the next program refused.
func (h *Hand) OnOffer(f func(*Offer) error) { h.made().offered = f }

// Keep has what state appends travel with the world, by this name: when it is handed over, after
// [Hand.OnOffer]'s function, and with each copy that a supervisor keeps for a death. The next
// program has world and bytes of the same step: see [Hand.Bytes] and [Hand.Lost]. The function is
// called between two steps, in the goroutine of Continue.
//
//	h.Keep("server", server.AppendState)
func (h *Hand) Keep(name string, state func(dst []byte) []byte) {
	if h.made(); state == nil {
		panic(fmt.Sprintf("hand: Keep of %q without a function; give one that appends", name))
	}
	h.keeps = append(h.keeps, kept{name, state})
}

// Lost returns for how long the program before may have played after the world was copied that this
// program has: the steps of that time are lost, as it died, or was undone. It is 0 if the world was
// handed over.
func (h *Hand) Lost() time.Duration { return h.made().lost }

// An Offer is what travels beside the world.
type Offer struct {
	cargo
	owned   []*os.File // duplicates
	refused func()
}

// OnRefused has f called if this program plays on after all: start again what the function of
// [Hand.OnOffer] has stopped.
func (o *Offer) OnRefused(f func()) { o.made().refused = f }

// Conn adds a connection, with what was read of it and not used yet. This program stops using it
// when the next one plays. The error wraps [ErrRefused] if it is no connection of the system, such
// as one of TLS.
func (o *Offer) Conn(name string, c net.Conn, unread []byte) error {
	o.made()
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

// File adds a file. The Offer has a duplicate, and f stays open.
func (o *Offer) File(name string, f *os.File) error {
	if o.made(); f == nil {
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
func (o *Offer) Bytes(name string, b []byte) { o.made().cargo.Bytes[name] = b }

// made returns o. It panics if o was not made by Continue.
func (o *Offer) made() *Offer {
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

// A Conn is a connection that the program before has handed over.
type Conn struct {
	net.Conn
	Name   string
	Unread []byte // that the program before has read, and not used
}

// Conns returns the connections that the program before has handed over, in its order, once. Read
// of them after [Hand.Ready]: what is read by a program that is given up before is lost.
func (h *Hand) Conns() (all []Conn, err error) {
	h.made()
	for _, name := range h.cargo.Order {
		f := h.cargo.Files["conn "+name]
		if f == nil {
			continue
		}
		c, connErr := net.FileConn(f)
		err = errors.Join(err, connErr, f.Close())
		if connErr == nil {
			all = append(all, Conn{Conn: c, Name: name, Unread: h.cargo.Unread[name]})
		}
	}
	h.cargo.Order = nil
	return all, err
}

// File returns a file that the program before has handed over, or nil.
func (h *Hand) File(name string) *os.File { return h.made().cargo.Files["file "+name] }

// Bytes returns bytes that the program before has handed over, or that were kept with the world of
// one that died, or nil.
func (h *Hand) Bytes(name string) []byte { return h.made().cargo.Bytes[name] }
