//go:build !unix

package term

import "os"

// listen asks for the window's size before every frame.
func (c *Canvas) listen() {
	c.resized = func() bool {
		cols, rows := c.options.Size()
		return cols != c.screen.cols || rows != c.screen.rows
	}
}

// stopJob has nothing to do where programs are not stopped.
func (c *Canvas) stopJob() {}

// die ends the program.
func die(os.Signal) { os.Exit(130) }
