package soft

import "sync"

// A crew is a set of permanent goroutines that draw the bands of a picture together with the
// caller.
type crew struct {
	canvas *Canvas
	bands  int
	work   func(c *Canvas, band int) // of the current run
	start  chan int                  // bands to work on
	done   sync.WaitGroup
	mu     sync.Mutex
	failed any // a worker's panic
}

func newCrew(canvas *Canvas, bands int) *crew {
	c := &crew{canvas: canvas, bands: bands, start: make(chan int, bands)}
	for range bands - 1 {
		go func() {
			for band := range c.start {
				c.do(band)
			}
		}()
	}
	return c
}

// do draws a band, and passes a panic to the caller, whose deferred functions may have to restore a
// terminal.
func (c *crew) do(band int) {
	defer c.done.Done()
	defer func() {
		if why := recover(); why != nil {
			c.mu.Lock()
			c.failed = why
			c.mu.Unlock()
		}
	}()
	c.work(c.canvas, band)
}

// run calls work once per band and waits for all calls.
func (c *crew) run(work func(c *Canvas, band int)) {
	c.work = work
	c.done.Add(c.bands)
	for band := range c.bands - 1 {
		c.start <- band
	}
	c.do(c.bands - 1)
	c.done.Wait()
	if why := c.failed; why != nil {
		c.failed = nil
		panic(why)
	}
}

// close ends the goroutines.
func (c *crew) close() { close(c.start) }

// rows returns the rows of a band of a picture height rows high.
func (c *crew) rows(band, height int) (from, to int) {
	return height * band / c.bands, height * (band + 1) / c.bands
}
