package arena

import (
	"cmp"
	"context"
	"time"

	"github.com/flatecs/flatecs/world/link"
)

// A Connection is a link that may end.
type Connection interface {
	link.Link
	Err() error
	Close() error
}

// A Seat is a player who comes back: a connection that ends, as the server's program is replaced or
// has died, is followed by another one, with the same tank. It belongs to one goroutine.
type Seat struct {
	dial   func() (Connection, error)
	seed   uint64
	conn   Connection
	player *Player // that is shown
	next   *Player // of the connection; nil: that is the one that is shown
	dialed chan Connection
	waits  bool
	ctx    context.Context // ends as the seat is closed
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

// Player returns the player to be shown: while it connects again, the one of before. It is nil
// until there is one.
func (s *Seat) Player() *Player { return s.player }

// Lost reports whether what is shown is over: the server is silent, or another connection begins.
func (s *Seat) Lost() bool {
	return s.waits || s.next != nil || s.player == nil || s.player.silent > Ticks
}

// Frame is [Player.Frame]. While the server is gone, the seat dials again.
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

// ended reports whether the connection is over, or nothing comes over it any more.
func (s *Seat) ended() bool {
	p := cmp.Or(s.next, s.player)
	return s.conn.Err() != nil || p == nil || p.mirror.Lost()
}

// again dials until it is connected, or the seat is closed: then it sends nil.
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

// take goes on over another connection, with a player that knows nothing yet.
func (s *Seat) take(c Connection) (err error) {
	if s.conn != nil {
		_ = s.conn.Close() // it is over, for whatever reason
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
