package arena

import (
	"cmp"
	"context"
	"time"

	"github.com/flatecs/flatecs/world/link"
)

// A Connection is a link that can be closed.
type Connection interface {
	link.Link
	Err() error
	Close() error
}

// A Seat is a player who reconnects: when a connection ends, because the server's program is
// replaced or has died, it dials again and gets the same tank. It belongs to one goroutine.
type Seat struct {
	dial   func() (Connection, error)
	seed   uint64
	conn   Connection
	player *Player // shown
	next   *Player // of the connection; nil: the shown player
	dialed chan Connection
	waits  bool
	ctx    context.Context // ends when the seat is closed
	stop   context.CancelFunc
}

// NewSeat returns a seat, which dials until it is connected: on other goroutines, each time with
// the same ID.
func NewSeat(seed uint64, dial func() (Connection, error)) *Seat {
	s := &Seat{dial: dial, seed: seed, dialed: make(chan Connection, 1), waits: true}
	s.ctx, s.stop = context.WithCancel(context.Background())
	go s.again()
	return s
}

// Player returns the player to show; while the seat reconnects, the previous one. It is nil before
// the first connection.
func (s *Seat) Player() *Player { return s.player }

// Lost reports whether the shown state is stale: the server is silent, or the seat reconnects.
func (s *Seat) Lost() bool {
	return s.waits || s.next != nil || s.player == nil || s.player.silent > Ticks
}

// Frame is [Player.Frame]. If the server is gone, the seat dials again.
func (s *Seat) Frame(now time.Duration, press func(p *Player) Input) (err error) {
	if !s.waits && s.ended() {
		s.waits = true
		go s.again()
	}
	select {
	case c := <-s.dialed:
		if err := s.take(c); err != nil {
			return err
		}
	default:
	}
	switch {
	case s.next != nil:
		err = s.next.Frame(now, press)
		if _, ok := s.next.Tank(); ok {
			s.player.Close()
			s.player, s.next = s.next, nil
		}
	case s.player != nil:
		err = s.player.Frame(now, press)
	}
	return err
}

// ended reports whether the connection is closed or silent.
func (s *Seat) ended() bool {
	p := cmp.Or(s.next, s.player)
	return s.conn.Err() != nil || p == nil || p.mirror.Lost()
}

// again dials until it is connected, or the seat is closed; then it sends nil.
func (s *Seat) again() {
	for pause := 100 * time.Millisecond; s.ctx.Err() == nil; pause = min(2*pause, time.Second) {
		if conn, err := s.dial(); err == nil {
			s.dialed <- conn
			return
		}
		time.Sleep(pause)
	}
	s.dialed <- nil
}

// take continues over another connection, with a new player.
func (s *Seat) take(c Connection) (err error) {
	if s.conn != nil {
		_ = s.conn.Close() // it is unusable
	}
	s.next.Close()
	s.conn, s.waits = c, false
	s.next, err = NewPlayer(c, s.seed)
	return err
}

// Close ends the connection, and releases the players' memory.
func (s *Seat) Close() (err error) {
	if s.stop(); s.waits {
		if c := <-s.dialed; c != nil {
			_ = c.Close()
		}
	}
	s.next.Close()
	s.player.Close()
	if s.conn != nil {
		err = s.conn.Close()
	}
	return err
}
