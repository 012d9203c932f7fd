package hand

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/mapping"
	"github.com/flatecs/flatecs/world/save"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestWithoutDescriptors: the next version is given up if there is no memory for whose turn it is.
func TestWithoutDescriptors(t *testing.T) {
	self := world.Must(os.Executable())
	var told []Event
	v := &supervision{
		config:   Supervisor{Deadline: time.Minute, Told: func(e Event) { told = append(told, e) }},
		children: newChildren([]string{"-test.run=^$"}), clock: newClock(),
		plays: &child{path: "old"}, played: true,
	}
	defer close(v.children.done)
	v.next = world.Must(v.children.start(self))
	v.clock.begin(starting, time.Minute)
	var limit syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit))
	none := limit
	none.Cur = 0
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &none))
	v.requestWorld(1)
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit))
	require.Len(t, told, 1)
	assert.Equal(t, Refused, told[0].What)
	assert.Contains(t, told[0].Why, "memory without a name")
	assert.Nil(t, v.next)
	assert.Equal(t, alone, v.clock.phase)
	assert.Equal(t, "old", v.plays.path)
}

// TestAKeptWorldIsSaved: where its program said; an event says whether that went well.
func TestAKeptWorldIsSaved(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{GameObjects: 3}))
	f, size := world.Must2(written(s, save.Options{}))
	w := worlds{kept: moment{world: f, manifest: manifest{Saved: true, Size: size, Tick: 7}}}
	defer w.close()
	path := filepath.Join(t.TempDir(), "a.flat")
	for _, to := range []string{"", path, filepath.Join(path, "in no folder")} {
		w.kept.manifest.File = to
		e := Event{Why: "it died"}
		w.saveKept(&e)
		assert.Equal(t, uint64(7), e.Tick)
		assert.Equal(t, size, e.Bytes)
		if to == "" || to == path {
			assert.Equal(t, Event{Why: "it died", Tick: 7, Bytes: size, File: to}, e)
			continue
		}
		assert.Empty(t, e.File)
		assert.Contains(t, e.Why, "it died\nhand: the world is not saved: ")
	}
	world.Must2(save.Load(path, world.CountsOf(s), save.Options{}))
}

// TestTheEndSavesWhatHadNoRoom: a kept world that could not be saved when its program died.
func TestTheEndSavesWhatHadNoRoom(t *testing.T) {
	s := world.Must(world.CreateState(world.Counts{GameObjects: 3}))
	f, size := world.Must2(written(s, save.Options{}))
	dir := filepath.Join(t.TempDir(), "later")
	var told []Event
	v := &supervision{
		config: Supervisor{Told: func(e Event) { told = append(told, e) }}, rests: true,
		worlds: worlds{kept: moment{path: "old", world: f, manifest: manifest{
			Saved: true, Size: size, File: filepath.Join(dir, "a.flat"),
		}}},
	}
	defer v.worlds.close()
	v.reportDeath("old", "it died")
	assert.Empty(t, told[0].File)
	require.NoError(t, os.Mkdir(dir, 0o700))
	v.endResting(syscall.SIGTERM)
	v.endResting(syscall.SIGTERM)
	require.Len(t, told, 2, "saved once")
	world.Must2(save.Load(told[1].File, world.CountsOf(s), save.Options{}))
}

// TestALaterCopyIsKept: of a replaced program, instead of one of a program before it.
func TestALaterCopyIsKept(t *testing.T) {
	copied := func(tick uint64) moment {
		f := world.Must(mapping.Scratch("copy"))
		return moment{world: f, manifest: manifest{Saved: true, Tick: tick}}
	}
	w := worlds{kept: copied(1)}
	defer w.close()
	w.commit(copied(2))
	assert.Equal(t, uint64(2), w.kept.manifest.Tick)
	w.commit(moment{})
	assert.Equal(t, uint64(2), w.kept.manifest.Tick, "there is no later one")
}

// TestRelationsThatBecomeTrees: their world travels as a file, which is checked for rings; with
// another policy it does not.
func TestRelationsThatBecomeTrees(t *testing.T) {
	under := func(r layout.Relation) uint64 {
		return fingerprint(world.Counts{Kinds: layout.Kinds(layout.NewRelation("under", r))})
	}
	assert.Equal(t, under(layout.Relation{}), under(layout.Relation{Disposed: layout.Cascade}))
	assert.NotEqual(t, under(layout.Relation{}), under(layout.Relation{Tree: true}))
}
