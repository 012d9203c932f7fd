package systems

import (
	"errors"

	"github.com/flatecs/flatecs/gameobject"
	"github.com/flatecs/flatecs/manager"
)

type opcode uint8

const (
	opCreate opcode = iota
	opSpawn
	opDispose
	opAdd
	opRemove
	opReplace
	opPut
)

// operations say what the commands do. Each is done wholly or, with an error, not at all. They are
// given the command, its place and the object that its id stands for.
var operations = [...]struct {
	name  string
	exact bool // needs a world with nothing pending
	run   func(j *job, c *command, at int, id GameObject) error
}{
	opCreate:  {"create", false, runCreate},
	opSpawn:   {"spawn", false, runSpawn},
	opDispose: {"dispose", false, runDispose},
	opAdd:     {"add", false, runAdd},
	opRemove:  {"remove", false, runRemove},
	opReplace: {"replace", true, runReplace},
	opPut:     {"put", true, runPut},
}

// Apply carries out what was recorded since the last Apply, in that order, and forgets it. A
// command that is refused changes nothing, and the others go on: the error joins a [CommandError]
// for each. When more was recorded than there is room for, nothing is carried out and everything is
// forgotten: the error is an [OverflowError]. While a walk is open, nothing is carried out and
// nothing forgotten: the error wraps [ErrWalking].
func Apply(s State) (State, error) {
	j := s.use()
	if j.fixed() {
		return s, ErrWalking
	}
	err := j.apply()
	return s.done(), err
}

func (j *job) apply() error {
	b := &j.commands
	defer b.empty()
	if b.used > len(b.commands) {
		return &OverflowError{Recorded: b.used, Room: len(b.commands)}
	}
	var refused []error
	for number, at := 0, 0; at < b.used; number++ {
		c := &b.commands[at]
		if j.pending.objects != 0 && operations[c.op].exact {
			j.settle()
		}
		if err := operations[c.op].run(j, c, at, b.object(c.id)); err != nil {
			refused = append(refused, j.refuseCommand(err, c, number))
		}
		at += 1 + int(c.more)
	}
	return errors.Join(refused...)
}

func runCreate(j *job, _ *command, _ int, _ GameObject) error {
	id, err := j.create()
	j.commands.made(id)
	return err
}

func runSpawn(j *job, c *command, _ int, _ GameObject) error {
	_, id, err := Spawn(newState(j), j.recipes[c.kind])
	j.commands.made(id)
	return err
}

func runDispose(j *job, c *command, _ int, id GameObject) error {
	switch {
	case j.Objects.Alive(id):
		j.dispose(id.Index())
	case !c.known || id.Generation() == 0:
		return j.refuseTarget(id)
	}
	return nil
}

func runAdd(j *job, c *command, _ int, id GameObject) error {
	m, err := j.target(c, id)
	if err != nil {
		return err
	}
	_, err = j.add(m, id.Index())
	return err
}

func runRemove(j *job, c *command, _ int, id GameObject) error {
	m, err := j.target(c, id)
	if err != nil {
		return err
	}
	return j.remove(m, id.Index())
}

func runReplace(j *job, c *command, at int, id GameObject) error {
	m, err := j.target(c, id)
	if err != nil {
		return err
	}
	row, err := m.Get(id.Index())
	if err != nil {
		return err
	}
	j.setField(m, c, at, row)
	return nil
}

func runPut(j *job, c *command, at int, id GameObject) error {
	m, err := j.target(c, id)
	if err != nil {
		return err
	}
	row, ok := m.RowOf(id.Index())
	if !ok {
		if row, err = m.Add(id.Index()); err != nil {
			return err
		}
	}
	j.setField(m, c, at, row)
	return nil
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
	if id.Generation() == 0 {
		return errNotCreated
	}
	return j.refuse(id)
}

//go:noinline
func (j *job) refuseCommand(err error, c *command, number int) error {
	e := &CommandError{Err: err, Command: operations[c.op].name, Number: number, ID: c.id}
	switch c.op {
	case opCreate:
		e.ID = gameobject.Nobody
	case opSpawn:
		e.ID, e.Kind = gameobject.Nobody, j.recipes[c.kind].String()
	case opDispose:
	default:
		e.Kind = j.Managers[c.kind].Kind.Name
	}
	return e
}
