package systems

import (
	"errors"
	"math/bits"

	"github.com/flatecs/flatecs/buffer"
	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/manager"
)

type opcode uint8

const (
	opCreate opcode = iota
	opSpawn
	opFill // a field of what the spawn before it creates
	opCopy
	opDispose
	opAdd
	opRemove
	opReplace
	opPut
)

// commandNames say what the commands do.
var commandNames = [...]string{
	opCreate: "create", opSpawn: "spawn", opFill: "spawn with", opCopy: "copy",
	opDispose: "dispose", opAdd: "add", opRemove: "remove", opReplace: "replace", opPut: "put",
}

// Apply carries out what was recorded since the last Apply, in that order, and forgets it. Like
// commands in a row are carried out block by block. A command that is refused changes nothing, and
// the others go on: the error is an [ApplyError]. Ids that the commands handed out become those of
// the objects that were created, wherever they were put. While a walk is open, nothing is carried
// out and nothing forgotten: the error wraps [ErrWalking].
func Apply(s State) (State, error) { return apply(s, false) }

// ApplyKeeping is [Apply] for a world that can be enlarged: what is refused for want of room stays
// recorded, with what was recorded about objects that were to be created then. It is carried out by
// the next Apply, in this world or in a [Resized] one.
func ApplyKeeping(s State) (State, error) { return apply(s, true) }

func apply(s State, keeping bool) (State, error) {
	j := s.use()
	if j.fixed() {
		return s, ErrWalking
	}
	a := applying{job: j, b: &j.commands, keeping: keeping}
	a.b.begin()
	for a.at < a.b.used {
		a.step()
	}
	j.carryOut(&a.streak)
	if a.b.creates() {
		j.resolveReferences()
	}
	if a.b.end(*j.Tick, a.kept); len(a.b.refused) > 0 {
		return s.done(), &ApplyError{Recorded: a.number, Refused: a.b.refused}
	}
	return s.done(), nil
}

// Applied returns the object that the last [Apply] created for an id that was recorded. The error
// wraps [ErrDead] when its creation was refused, or is not of the last Apply.
func Applied(s State, id GameObject) (GameObject, error) {
	j := s.look()
	if o := j.root().commands.origin(id); id.Recorded() && o != nil {
		if n := id.Index() - o.last; int64(n) < int64(len(o.made)) {
			if made := o.made[n]; made != gameobject.Nobody && !made.Recorded() {
				return made, nil
			}
		}
	}
	return gameobject.Nobody, j.refuse(id)
}

// An applying is one Apply under way.
type applying struct {
	*job
	b       *commandBuffer
	streak  streak
	at      int // place of the next command
	number  int // of the next command
	kept    int // commands that are kept
	keeping bool
}

// step carries out the next command, or some like it.
func (a *applying) step() {
	c := &a.b.commands[a.at]
	if c.op == opSpawn {
		a.spawns(c)
		return
	}
	if err := a.one(c, a.b.object(c.id)); err != nil {
		a.refuseCommand(c, err)
	}
	a.at += 1 + int(c.more)
	a.number++
}

// one carries out a command on the object that its id stands for: wholly or, with an error, not at
// all.
func (a *applying) one(c *command, id GameObject) error {
	switch c.op {
	case opDispose:
		return a.dispose(c, id)
	case opAdd, opRemove:
		return a.change(c, id)
	case opCreate, opCopy:
		return a.create(c)
	}
	return a.set(c, id)
}

func (a *applying) dispose(c *command, id GameObject) error {
	a.ready(&a.streak, opDispose, nil, id.Index())
	switch {
	case a.Objects.Alive(id):
		a.streak.add(opDispose, nil, id.Index())
	case !c.known || id == gameobject.Nobody || id.Recorded():
		return a.refuseTarget(id)
	}
	return nil
}

// change adds or removes a component. It joins the streak where that asks for no more than a look.
func (a *applying) change(c *command, id GameObject) error {
	m, i := &a.Managers[c.kind], id.Index()
	if a.ready(&a.streak, c.op, m, i); !a.Objects.Alive(id) {
		return a.refuseTarget(id)
	}
	switch _, home := m.Home(i); {
	case c.op == opAdd && home, c.op == opRemove && m.Has(i):
		a.streak.add(c.op, m, i)
		return nil
	case c.op == opAdd:
		a.carryOut(&a.streak)
		_, err := m.Add(i)
		return err
	}
	return m.Remove(i) // refused
}

func (a *applying) create(c *command) error {
	a.carryOut(&a.streak)
	var id GameObject
	var err error
	if c.op == opCreate {
		_, id, err = CreateGameObject(newState(a.job))
	} else {
		source := buffer.Span[GameObject](a.b.base, (a.at*commandSize+headSize)/8, 1)[0]
		_, id, err = CopyGameObject(newState(a.job), a.b.object(source))
	}
	a.b.became(c.id, id)
	return err
}

func (a *applying) set(c *command, id GameObject) error {
	a.carryOut(&a.streak)
	m, err := a.target(c, id)
	if err != nil {
		return err
	}
	row, ok := m.RowOf(id.Index())
	switch {
	case ok:
	case c.op == opPut:
		row, err = m.Add(id.Index())
	default:
		_, err = m.Get(id.Index())
	}
	if err == nil {
		a.setField(m, c, a.at, row)
	}
	return err
}

// spawns carries out spawns of a recipe that follow each other, as many as there is room for, and
// sets their fields.
func (a *applying) spawns(first *command) {
	a.carryOut(&a.streak)
	p := a.pool(a.recipes[first.kind])
	n := min(a.like(first), a.roomFor(p))
	if n == 0 {
		a.refuseSpawn(first, a.room(p, 1))
		return
	}
	at := a.at // of the next spawn that gets an object
	a.spawn(p, n, func(block uint32, x uint64) {
		for ; x != 0; x &= x - 1 {
			i := block<<6 + uint32(bits.TrailingZeros64(x))
			a.b.became(a.b.commands[at].id, a.Objects.At(i))
			at = a.b.after(at)
		}
	})
	a.number += n
	if at-a.at > n {
		a.fill(at)
	}
	a.at = at
}

// fill sets the fields of what was just spawned, up to the command at a place. The rows have the
// stamp of this step already.
func (a *applying) fill(end int) {
	for at := a.at; at < end; {
		c := &a.b.commands[at]
		if c.op == opFill {
			m := &a.Managers[c.kind]
			row, _ := m.RowOf(a.b.object(c.id).Index())
			f := &m.Columns[c.field]
			f.Set(int(row), a.b.data(at, f.Stride))
		}
		at += 1 + int(c.more)
	}
}

// like returns how many spawns of one recipe follow each other.
func (a *applying) like(first *command) (n int) {
	for at := a.at; at < a.b.used; at = a.b.after(at) {
		if c := &a.b.commands[at]; c.op != opSpawn || c.kind != first.kind {
			break
		}
		n++
	}
	return n
}

// after returns the place behind a spawn and the fields that it comes with.
func (b *commandBuffer) after(at int) int {
	for at++; at < b.used && b.commands[at].op == opFill; {
		at += 1 + int(b.commands[at].more)
	}
	return at
}

// refuseSpawn refuses a spawn, and passes over the fields that it comes with.
func (a *applying) refuseSpawn(c *command, err error) {
	end, id := a.b.after(a.at), c.id
	a.refuseCommand(c, err)
	if a.number++; a.b.object(id).Recorded() { // kept
		a.keep(a.at+1, end-a.at-1)
	}
	a.at = end
}

// target returns the manager of a command's kind, when its object is alive.
func (j *job) target(c *command, id GameObject) (*manager.Manager, error) {
	if !j.Objects.Alive(id) {
		return nil, j.refuseTarget(id)
	}
	return &j.Managers[c.kind], nil
}

// setField writes the data of the command at a place to a row.
func (j *job) setField(m *manager.Manager, c *command, at int, row Row) {
	f := &m.Columns[c.field]
	f.Set(int(row), j.commands.data(at, f.Stride))
	m.Touch(uint32(row), 1)
}

//go:noinline
func (j *job) refuseTarget(id GameObject) error {
	if id == gameobject.Nobody || id.Recorded() {
		return errNotCreated
	}
	return j.refuse(id)
}

// refuseCommand notes that a command was refused, or keeps it.
//
//go:noinline
func (a *applying) refuseCommand(c *command, err error) {
	e := &CommandError{Err: err, Command: commandNames[c.op], Number: a.number, ID: c.id}
	creates := c.op <= opCopy
	switch {
	case creates:
		e.ID = gameobject.Nobody
		if c.op == opSpawn {
			e.Kind = a.recipes[c.kind].String()
		}
	case c.op != opDispose:
		e.Kind = a.Managers[c.kind].Kind.Name
	}
	room := errors.Is(err, ErrFull) || errors.Is(err, ErrTooMany)
	if e.Kept = a.keeping && (room || a.b.object(c.id).Recorded()); e.Kept {
		if creates {
			a.b.became(c.id, c.id)
		}
		a.keep(a.at, 1+int(c.more))
	}
	a.b.refused = append(a.b.refused, e)
}

// keep keeps n commands from a place on: behind those that are kept already.
func (a *applying) keep(at, n int) {
	copy(a.b.commands[a.kept:], a.b.commands[at:at+n])
	a.kept += n
}
