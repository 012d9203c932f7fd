package systems

import "github.com/flatecs/flatecs/systems/internal/work"

// A Pace is how long the tasks of a job take, as its earlier runs measured, per block of 64
// objects. It lies beside all worlds, and may be of several. It belongs to one goroutine.
type Pace struct{ work work.Pace }

// RunTasks is the function [RunTasks] for tasks that take the same time per block, all on some of
// the blocks. It wakes as many goroutines as they are worth: one per 50 µs that they take, or 10 µs
// if the workers have patience, no more than there are processors, and all in the first run. With a
// nil Pace it wakes all.
func (p *Pace) RunTasks(s State, w *Workers, tasks []Task) State {
	j := s.use()
	j.checkStill()
	for i := range tasks {
		tasks[i].check(i)
	}
	side := j.sideBySide(len(tasks))
	side.runAll(j, w, tasks, p)
	for _, done := range side.jobs[:len(tasks)] {
		j.commands.Append(&done.commands)
		j.stampAll(&done.part)
	}
	if fault := side.set.Fault(); fault != nil {
		panic(*fault)
	}
	return s.done()
}
