package shard

import "errors"

// Errors of shards. The returned errors wrap them, with shards, ticks, numbers and the fix. After
// any of them the shard has stopped, and has stored no wrong data.
var (
	// ErrOptions is the error of invalid options.
	ErrOptions = errors.New("shard: these options do not fit")

	// ErrNarrow is the error of borders that are narrower than the radius of systems, or of regions
	// that are narrower than that radius.
	ErrNarrow = errors.New("shard: the borders are too narrow")

	// ErrFar is the error of an object that moved in one tick to a region that is not a neighbour,
	// or to a place where such a region's shard should see it.
	ErrFar = errors.New("shard: an object moved too far in one tick")

	// ErrGlobal is the error of objects with a position but without a global id.
	ErrGlobal = errors.New("shard: an object has no global id")

	// ErrReferences is the error of an object that refers to a ghost, or to an object that moves to
	// another shard, and of kinds of ghosts and resources that refer to objects.
	ErrReferences = errors.New("shard: references do not reach other shards")

	// ErrDiffers is the error of two shards whose resources, ticks, seeds or options differ.
	ErrDiffers = errors.New("shard: two shards differ in settings that must be equal")

	// ErrDiverged is the error of a shard that computes other bytes for a tick than it stored
	// before.
	ErrDiverged = errors.New("shard: this tick had another outcome before")

	// ErrHeld is the error of a shard that another process runs.
	ErrHeld = errors.New("shard: another process runs this shard")

	// ErrFenced is the error of a shard that another process took over.
	ErrFenced = errors.New("shard: another process took this shard over")

	// ErrSnapshot is the error of a shard without a readable snapshot.
	ErrSnapshot = errors.New("shard: no snapshot of this shard can be read")

	// ErrLost is the error of a needed message that was removed.
	ErrLost = errors.New("shard: a message is not in the stream any more")

	// ErrMessage is the error of a message that did not come from a shard.
	ErrMessage = errors.New("shard: this is not a message of a shard")

	// ErrInput is the error of an input that is larger than the server's limit for messages.
	ErrInput = errors.New("shard: the input of a tick is too large")

	// ErrBack is the error of a server whose store is older than the data that a shard stored
	// there, for example after a backup was restored or a disk lost its last writes. Start all
	// shards again, including waiting ones: they continue from the store. A shard that ran while a
	// backup was restored may have stored a later snapshot before it noticed, and its neighbours
	// then miss messages ([ErrLost]): stop all, restore the backup again, and start all.
	ErrBack = errors.New("shard: the server's store went back")

	// ErrSilent is the error of a server, or of a neighbour, that did not answer for too long. A
	// server that cannot write to its disk does not answer; its log says why. If the server has
	// another store, or its store went back, start all shards again.
	ErrSilent = errors.New("shard: no answer")

	// ErrNoRoom is the error of a server that had no room to store data for too long. The stored
	// data is complete.
	ErrNoRoom = errors.New("shard: the server has no room")

	// ErrPlan is the error of a plan that the shards cannot carry out.
	ErrPlan = errors.New("shard: this plan does not fit")

	// ErrBuild is the error of a build that must not continue; see [BuildError].
	ErrBuild = errors.New("shard: another build goes on here")

	// ErrOpen is the error of a server that is reached over a network without authentication.
	ErrOpen = errors.New("shard: a server without authentication has to be on loopback")

	// ErrRefused is the error of a server that refuses a user, or whose certificate is invalid.
	ErrRefused = errors.New("shard: the connection is refused")
)
