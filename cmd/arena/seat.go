package arena

import (
	"errors"
	"fmt"
	"time"

	"github.com/flatecs/flatecs/world/link"
)

// A Connection is a link that may end.
type Connection interface {
	link.Link
	Err() error
	Close() error
}

// patience is how long a seat waits for a server that is gone.
const patience = 12 * time.Second

// A Seat is a player who comes back: a connection that ends, as the server's program is replaced or
// has died, is followed by another one, with the same tank. It belongs to one goroutine.
type Seat struct {
	dial   func() (Connection, error)
	seed   uint64
	conn   Connection
	player *Player // that is shown
	next   *Player // of the connection; nil: that is the one that is shown
	dialed chan dialed
	waits  bool
}

type dialed struct {
	conn Connection
	err  error
}

// NewSeat returns a seat, once connected. dial is called on other goroutines later on, and says
// each time who it is, by the same ID.
func NewSeat(seed uint64, dial func() (Connection, error)) (*Seat, error) {
	s := &Seat{dial: dial, seed: seed, dialed: make(chan dialed, 1)}
	var err error
	if s.conn, err = dial(); err != nil {
		return nil, err
	}
	if s.player, err = NewPlayer(s.conn, seed); err != nil {
		return nil, errors.Join(err, s.conn.Close())
	}
	return s, nil
}

// Player returns the player to be shown: while it connects again, the one of before.
func (s *Seat) Player() *Player { return s.player }

// Frame is [Player.Frame]. The error is that the server is gone for too long.
func (s *Seat) Frame(now time.Duration, press func(p *Player) Input) error {
	if err := s.ended(); err != nil && !s.waits {
		s.waits = true
		go s.again(err)
	}
	select {
	case d := <-s.dialed:
		if err := s.take(d); err != nil {
			return err
		}
	default:
	}
	if s.next == nil {
		return s.player.Frame(now, press)
	}
	if err := s.next.Frame(now, press); err != nil {
		return err
	}
	if _, ok := s.next.Tank(); ok {
		s.player.Close()
		s.player, s.next = s.next, nil
	}
	return nil
}

// errGivenUp is the end of a connection over which nothing comes any more.
var errGivenUp = errors.New("arena: the server has given this player up, or is silent")

// ended returns why the connection is over, or nil.
func (s *Seat) ended() error {
	p := s.player
	if s.next != nil {
		p = s.next
	}
	if err := s.conn.Err(); err != nil || !p.mirror.Lost() {
		return err
	}
	return errGivenUp
}

// Join is [NewSeat] that dials again until it is connected. tell gets the error of each try that
// failed, and nil in the end.
func Join(seed uint64, dial func() (Connection, error), tell func(error)) *Seat {
	for {
		s, err := NewSeat(seed, dial)
		if tell(err); err == nil {
			return s
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// again dials until it is connected.
func (s *Seat) again(why error) {
	d := dialed{err: why}
	for end := time.Now().Add(patience); d.conn == nil && time.Now().Before(end); {
		if d.conn, d.err = s.dial(); d.err != nil {
			d.conn = nil
			time.Sleep(100 * time.Millisecond)
		}
	}
	s.dialed <- d
}

// take goes on over another connection, with a player that knows nothing yet.
func (s *Seat) take(d dialed) error {
	s.waits = false
	if d.conn == nil {
		return fmt.Errorf("the server is gone: %w", d.err)
	}
	err := s.conn.Close()
	s.conn = d.conn
	if s.next != nil {
		s.next.Close()
	}
	next, newErr := NewPlayer(d.conn, s.seed)
	s.next = next
	return errors.Join(err, newErr)
}

// Close ends the connection, and releases the players' memory.
func (s *Seat) Close() error {
	if s.waits {
		if d := <-s.dialed; d.conn != nil {
			_ = d.conn.Close()
		}
	}
	if s.next != nil {
		s.next.Close()
	}
	s.player.Close()
	return s.conn.Close()
}
