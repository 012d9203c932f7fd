package soft

import "sync"

// A crew is a number of goroutines that are made once and do bands of work. The one that calls
// works too.
type crew struct {
	bands int
	work  func(band int) // of the run
	start chan int       // bands to work on
	done  sync.WaitGroup
}

func newCrew(bands int) *crew {
	c := &crew{bands: bands, start: make(chan int, bands)}
	for range bands - 1 {
		go func() {
			for band := range c.start {
				c.work(band)
				c.done.Done()
			}
		}()
	}
	return c
}

// run calls work once per band and waits for all. Give it functions made beforehand: a closure
// made per frame would be garbage.
func (c *crew) run(work func(band int)) {
	c.work = work
	c.done.Add(c.bands - 1)
	for band := range c.bands - 1 {
		c.start <- band
	}
	work(c.bands - 1)
	c.done.Wait()
}

// close ends the goroutines.
func (c *crew) close() { close(c.start) }

// rows returns the rows of a picture height rows high that belong to a band.
func (c *crew) rows(band, height int) (from, to int) {
	return height * band / c.bands, height * (band + 1) / c.bands
}
