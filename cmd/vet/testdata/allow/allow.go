package allow

import (
	"time"

	"github.com/flatecs/flatecs/world"
)

func above(s world.State) world.State {
	//flatecs:allow deterministic the page shows how long a frame took
	time.Now()
	time.Now() // want `time.Now reads the clock`
	return s
}

func beside(s world.State) world.State {
	time.Now() //flatecs:allow deterministic the page shows how long a frame took

	time.Now() // want `time.Now reads the clock`
	return s
}

// whole shows frame times.
//
//flatecs:allow deterministic the page shows how long a frame took
func whole(s world.State) world.State {
	time.Now()

	time.Now()
	return s
}

func wrong(s world.State) world.State {
	//flatecs:allow dropped that is another check
	time.Now() // want `time.Now reads the clock`

	/* want `deterministic finds nothing here; delete this comment` */ //flatecs:allow deterministic there is nothing

	//flatecs:allow deterministic
	time.Now() // want `time.Now reads the clock`

	//flatecs:allowed deterministic is another directive
	time.Now() // want `time.Now reads the clock`
	return s
}
