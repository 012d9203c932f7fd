//go:build !unix

package term

import "os"

// listen makes the canvas check the window's size before every frame.
func (c *Canvas) listen() {
	c.resized = func() bool {
		cols, rows := c.options.Size()
		return cols != c.screen.cols || rows != c.screen.rows
	}
}

// stopJob does nothing: programs are not stopped on this host.
func (c *Canvas) stopJob() {}

// die ends the program.
func die(os.Signal) { os.Exit(130) }
