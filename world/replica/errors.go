package replica

import "errors"

var (
	// ErrDamaged is the error of a datagram that does not come from a server with the same schema.
	// The datagram changed nothing.
	ErrDamaged = errors.New("replica: damaged datagram; drop it, the next one has what it lacks")

	// ErrSchema is the error of a datagram from a server with another schema: another build.
	ErrSchema = errors.New("replica: the server has another schema; run the same build")

	// ErrState is the error of bytes that are not the state of a matching server.
	ErrState = errors.New("no such state; make a server by NewServer, clients join again")
)
