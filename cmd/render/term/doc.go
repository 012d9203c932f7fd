// Package term draws in a terminal: two pixels per character, "▀" in the colours of both.
//
// A canvas takes the alternate screen when it begins and gives it back when it is closed, or when
// an interrupt, a request to terminate or a hang-up ends the program: defer Close, so that a panic
// gives it back too. It also gives it back while Ctrl-Z or SIGTSTP has stopped the program, and
// takes it again when the program goes on in the foreground. Only characters that have changed are
// sent. It follows when the window changes its size.
//
//	depth        needs                          shows
//	TrueColour   COLORTERM=truecolor or 24bit   "▀" in 16 million colours
//	Colours256   a TERM that has them           "▀" in 256 colours
//	Plain        NO_COLOR, or other terminals   signs from " " to "@", as bright as the picture
//	Text         TERM=dumb, pipes and files     the last frame alone, in such signs, when closed
//
// Texts too small to be drawn are written as they are, in the terminal's own letters.
package term
