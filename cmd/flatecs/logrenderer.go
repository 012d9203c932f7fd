package main

import (
	"bufio"
	"strconv"
)

// logRenderer logs what a renderer would draw, in the lines of the story.
type logRenderer struct {
	out       *bufio.Writer
	quiet     bool
	instanced bool // the instances of the frame are logged
}

// Init logs the beginning of the scene.
func (l *logRenderer) Init() { l.line("初始化...") }

func (l *logRenderer) beginFrame() { l.instanced = false }

// one logs an object that is drawn by itself.
func (l *logRenderer) one() { l.line("OneByOne渲染 SuperHero...") }

// instances logs the instanced batch once per frame: rows out of lockstep arrive in several calls.
func (l *logRenderer) instances() {
	if !l.instanced {
		l.line("批量Instance渲染 NormalHeroes...")
	}
	l.instanced = true
}

// updated logs an updated component and its row.
func (l *logRenderer) updated(row int) {
	if l.quiet {
		return
	}
	const longest = 64 // bytes
	if l.out.Available() < longest {
		_ = l.out.Flush()
	}
	line := append(l.out.AvailableBuffer(), "更新PositionComponent: "...)
	_, _ = l.out.Write(append(strconv.AppendInt(line, int64(row), 10), '\n'))
}

func (l *logRenderer) lines(text string, n int) {
	for range n {
		l.line(text)
	}
}

func (l *logRenderer) line(text string) {
	if l.quiet {
		return
	}
	_, _ = l.out.WriteString(text)
	_ = l.out.WriteByte('\n')
}
