package hunt

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/program"
)

// A Failure contains the fewest inputs found after which a property does not hold.
type Failure struct {
	Property string             // its name
	Err      error              // what is wrong
	Inputs   []byte             // of the ticks, in order; the last one fails
	Without  []world.GameObject // unneeded objects of the first world
	Played   int                // ticks until it was first noticed
	Again    bool               // it is repeatable; otherwise Inputs is not shortened
	Short    bool               // Options.Shrink ended before the failure was minimal
	Job      string             // the property failed after it; "": before the jobs
	Writes   []Write            // each alone causes it; if none does, all changes of Job
	Alone    bool               // each of Writes alone causes it

	size int // bytes of a tick
}

// A Write is a changed value.
type Write struct {
	Object        world.GameObject
	Field         string // kind.field; "": the object was created or disposed
	Before, After string // as [tool.Text] formats values
}

// String describes the write.
func (w Write) String() string {
	if w.Field == "" {
		return fmt.Sprintf("object %v: %s, and was %s", w.Object, w.After, w.Before)
	}
	return fmt.Sprintf("%s of object %v: %s, and was %s", w.Field, w.Object, w.After, w.Before)
}

// String describes the failure, the job that caused it, and the inputs.
func (f *Failure) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "hunt: %s: %v, after %d ticks", f.Property, f.Err, f.Ticks())
	if !f.Again {
		b.WriteString("; it did not happen again when the same was played: a tick depends on " +
			"more than the world and its input, such as the time or the order of a map")
		if f.Property == noPanic {
			b.WriteString(", or Play, Cover, Over or a property of Sometimes panicked")
		}
	}
	if f.Short {
		b.WriteString("; not reduced to the least: give Options.Shrink more time")
	}
	if f.Job != "" {
		fmt.Fprintf(&b, "\njob %q", f.Job)
	}
	for _, w := range f.Writes {
		fmt.Fprintf(&b, "\n  %v", w)
	}
	b.WriteString("\ninputs of the ticks:\n")
	b.WriteString(f.Text())
	return b.String()
}

// Ticks returns the number of ticks of Inputs.
func (f *Failure) Ticks() int { return len(f.Inputs) / f.size }

// Text returns the failure in the format of [Again]: a line per tick, in hexadecimal, with a count
// for repetitions, or the line "no tick". If objects of the first world are unneeded, the first
// line lists them.
func (f *Failure) Text() string {
	var b strings.Builder
	if len(f.Without) > 0 {
		b.WriteString("without")
		for _, id := range f.Without {
			fmt.Fprintf(&b, " %v", id)
		}
		b.WriteByte('\n')
	}
	if len(f.Inputs) == 0 {
		b.WriteString(noTick + "\n")
	}
	for rest := f.Inputs; len(rest) > 0; {
		input, n := rest[:f.size], 0
		for ; bytes.HasPrefix(rest, input); rest = rest[f.size:] {
			n++
		}
		fmt.Fprintf(&b, "%x", input)
		if n > 1 {
			fmt.Fprintf(&b, " x %d", n)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Test returns the source of a Go test called name, which fails as long as the failure occurs. game
// is a Go expression, such as "newGame()".
func (f *Failure) Test(name, game string) string {
	return fmt.Sprintf("// %s: %s: %s.\nfunc %s(t *testing.T) {\n\thunt.Again(t, %s, `\n%s`)\n}\n",
		name, f.Property, strings.ReplaceAll(firstLine(f.Err), "`", "'"), name, game, f.Text())
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// noTick is the line of a failure before the first tick.
const noTick = "no tick"

// parse parses a text for a game with size bytes per tick. It returns the inputs and the unneeded
// objects.
func parse(text string, size int) (inputs []byte, without []world.GameObject, err error) {
	empty := true
	for n, line := range slices.Collect(strings.Lines(tool.PlainText(text))) {
		line = strings.TrimSpace(line)
		words := strings.Fields(line)
		switch {
		case line == "", strings.HasPrefix(line, "#"):
			continue
		case line == noTick:
			empty = false
			continue
		case words[0] == "without":
			empty = false
			for _, w := range words[1:] {
				id, err := tool.ParseGameObject(w)
				if err != nil {
					return nil, nil, fmt.Errorf("hunt: line %d: %w", n+1, err)
				}
				without = append(without, id)
			}
			continue
		}
		ticks := ticksOf(words, size, mostText-len(inputs))
		if ticks == nil {
			return nil, nil, fmt.Errorf("hunt: line %d is %q, where a tick has %d bytes in "+
				"hexadecimal, and perhaps how often: %0*x x 3: %w", n+1, line, size, 2*size, 0,
				errText)
		}
		inputs, empty = append(inputs, ticks...), false
	}
	if empty {
		return nil, nil, fmt.Errorf("hunt: the text plays no tick: %w; remove it", errText)
	}
	return inputs, without, nil
}

// ticksOf decodes the words of a line into ticks of size bytes. It returns nil if they are invalid
// or exceed room bytes.
func ticksOf(words []string, size, room int) []byte {
	times := 1
	if len(words) == 3 && words[1] == "x" {
		times, _ = strconv.Atoi(words[2])
		words = words[:1]
	}
	input, err := hex.DecodeString(words[0])
	if err != nil || len(words) > 1 || len(input) != size || times < 1 || times > room/size {
		return nil
	}
	return bytes.Repeat(input, times)
}

const mostText = 1 << 26 // limit of decoded bytes

var errText = errors.New("this text is not a failure of this game; hunt again")

// blame finds the job that caused the failure, and its writes.
func (f *Failure) blame(s *shrinker) {
	g, size := s.game, s.game.size()
	last := len(f.Inputs) - size
	p := s.player
	p.restore(p.first)
	if last < 0 || p.play(f.Inputs[:last]) != nil {
		return
	}
	here, err := program.Snapshot(p.state)
	if err != nil {
		return
	}
	defer here.Close()
	before := world.Must(world.Clone(p.state))
	defer func() { world.Close(before) }()
	for n := range len(p.jobs) + 1 {
		one, err := newPlayer(g, f.Without, 1, n)
		if err != nil {
			return
		}
		one.restore(here)
		wrong := one.caught(func(*int) *fault { return one.tickChecked(f.Inputs[last:]) })
		if wrong != nil && wrong.property == f.Property {
			if n > 0 {
				f.Job = p.jobs[n-1].Name
			}
			f.Writes, f.Alone = one.writes(before, f.Property)
			one.close()
			return
		}
		world.Close(before)
		before = world.Must(world.Clone(one.state))
		one.close()
	}
}

// writes returns the writes since before that alone make the property fail. If there are none, it
// returns all writes.
func (p *player) writes(before world.State, property string) (all []Write, alone bool) {
	const most = 8
	var culprits []Write
	for _, c := range p.changed(before) {
		w := Write{
			Object: c.object, Field: c.field.String(),
			Before: tool.Text(c.field, c.old), After: tool.Text(c.field, c.value),
		}
		all = append(all, w)
		undoes := c.field.Relation == nil && len(c.old) == len(c.value)
		if undoes && p.holdsWith(&c, property) {
			culprits = append(culprits, w)
		}
	}
	if len(culprits) > 0 {
		return culprits[:min(most, len(culprits))], true
	}
	all = append(p.lives(before), all...)
	return all[:min(most, len(all))], false
}

// A change is a place and its previous value.
type change struct {
	place
	old []byte
}

// changed returns the places whose values differ from an earlier state.
func (p *player) changed(before world.State) (all []change) {
	for id := range world.GameObjects(p.state) {
		for at := range placesOf(p.state, id) {
			old, _ := tool.ValueOf(before, at.field, id)
			if old != nil && !bytes.Equal(old, at.value) {
				all = append(all, change{at, old})
			}
		}
	}
	return all
}

// holdsWith reports whether a property holds when a change is undone. It may panic then, because
// the state is one that no tick leads to.
func (p *player) holdsWith(c *change, property string) bool {
	now := bytes.Clone(c.value)
	write := func(value []byte) {
		copy(c.value, value)
		p.state = tool.Touch(p.state, c.use.Kind, c.use.Row, 1)
	}
	write(c.old)
	defer write(now)
	i := slices.IndexFunc(p.game.Always, func(x Property) bool { return x.name == property })
	holds := false
	panicked := program.Caught("hunt", func() {
		holds = i >= 0 && p.game.Always[i].in(p.state, p.want[i]) == nil
	})
	return holds && panicked == nil
}

// lives returns the objects that were created or disposed.
func (p *player) lives(before world.State) (all []Write) {
	for id := range world.GameObjects(p.state) {
		if !world.Alive(before, id) {
			all = append(all, Write{Object: id, Before: "not there", After: "made"})
		}
	}
	for id := range world.GameObjects(before) {
		if !world.Alive(p.state, id) {
			all = append(all, Write{Object: id, Before: "there", After: "disposed of"})
		}
	}
	return all
}
