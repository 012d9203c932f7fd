package main

import (
	"bufio"
	"strconv"
)

// logRenderer tells in words what a renderer would draw. The lines are those of the story.
type logRenderer struct {
	out       *bufio.Writer
	quiet     bool
	instanced bool // the frame's instances have been told
}

// Init tells that the scene begins.
func (l *logRenderer) Init() { l.line("初始化...") }

// one tells of an object drawn by itself.
func (l *logRenderer) one() { l.line("OneByOne渲染 SuperHero...") }

// instances tells of the instanced batch, once per frame: rows out of lockstep come in calls of
// their own.
func (l *logRenderer) instances() {
	if !l.instanced {
		l.line("批量Instance渲染 NormalHeroes...")
	}
	l.instanced = true
}

// updated tells of an updated component and its row.
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
