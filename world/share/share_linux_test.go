package share_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/layout"
	"github.com/flatecs/flatecs/systems/tool"
	"github.com/flatecs/flatecs/world"
	"github.com/flatecs/flatecs/world/internal/mapping"
	"github.com/flatecs/flatecs/world/internal/worldtest"
	"github.com/flatecs/flatecs/world/memory"
	"github.com/flatecs/flatecs/world/share"
)

var (
	place   = layout.NewComponent[[3]float32]("place")
	crate   = world.NewRecipe("crate", place)
	moving  = world.NewQuery(world.Write(place))
	looking = world.NewQuery(world.Read(place))
)

const writerPath = "FLATECS_TEST_PUBLISH" // the test binary is the other program

func TestMain(m *testing.M) {
	if path := os.Getenv(writerPath); path != "" {
		publishFor(path)
		return
	}
	os.Exit(m.Run())
}

func counts() world.Counts {
	return world.Counts{Kinds: layout.Kinds(place.Count(2000)), Recipes: []world.Recipe{crate}}
}

func made(n int) world.State {
	return world.Must(world.SpawnN(world.Must(world.CreateState(counts())), crate, n, nil))
}

// step sets every place to the next tick.
func step(s world.State) world.State {
	s = world.Advance(s)
	tick := float32(world.Tick(s))
	for b := range moving.In(s) {
		for i := range world.Column(b, place) {
			world.Column(b, place)[i] = [3]float32{tick, tick, tick}
		}
	}
	return s
}

// publishFor steps and publishes until it is killed, and says so after the first frame.
func publishFor(path string) {
	s := made(2000)
	p := world.Must(share.Publish(path, s, share.Options{Slots: 5}))
	for {
		s = step(s)
		if err := p.Offer(s); err != nil {
			fmt.Println(err)
			return
		}
		if world.Tick(s) == 2 {
			fmt.Println("published")
		}
	}
}

// whole returns the tick of a frame's world, and whether all of it is of that tick.
func whole(s world.State) (tick uint64, ok bool) {
	tick, ok = world.Tick(s), true
	n := 0
	for b := range looking.In(s) {
		for _, p := range world.Column(b, place) {
			ok = ok && p == [3]float32{float32(tick), float32(tick), float32(tick)}
			n++
		}
	}
	return tick, ok && n == world.Len(s)
}

func TestReadersSeeFrames(t *testing.T) {
	s := made(100)
	path := filepath.Join(t.TempDir(), "w")
	p := world.Must(share.Publish(path, s, share.Options{}))
	r := world.Must(share.Open(path, counts()))
	_, err := r.Pin()
	require.ErrorIs(t, err, share.ErrNone)
	assert.True(t, r.Writing())
	for n := uint64(1); n < 20; n++ {
		s = step(s)
		require.NoError(t, p.Offer(s))
		f := world.Must(r.Pin())
		assert.Equal(t, n, f.Number())
		assert.Equal(t, world.Digest(s), world.Digest(f.State()))
	}
	kept := world.Must(r.Pin()).State() // until the next one is
	f := world.Must(r.Pin())
	if worldtest.StatesChecked {
		assert.Panics(t, func() { world.Digest(kept) }, "it was unpinned")
		assert.PanicsWithError(t, memory.ErrReadOnly.Error(), func() {
			world.Advance(f.State())
		})
	}
	require.NoError(t, p.Close())
	assert.False(t, r.Writing())
	assert.Equal(t, world.Digest(s), world.Digest(f.State()), "the last frame stays")
	require.NoError(t, r.Close())
	require.NoError(t, r.Close())
	world.Close(s)
}

// TestPinnedSlotsAreLeft: pinned slots do not change, and the publisher never waits.
func TestPinnedSlotsAreLeft(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w")
	s := made(64)
	p := world.Must(share.Publish(path, s, share.Options{Slots: 4}))
	var frames []*share.Frame
	var digests []uint64
	for range 3 {
		s = step(s)
		require.NoError(t, p.Offer(s))
		r := world.Must(share.Open(path, counts()))
		t.Cleanup(func() { assert.NoError(t, r.Close()) })
		frames = append(frames, world.Must(r.Pin()))
		digests = append(digests, world.Digest(s))
	}
	s = step(s)
	require.NoError(t, p.Offer(s), "one slot is left")
	for range 3 {
		s = step(s)
		require.ErrorIs(t, p.Offer(s), share.ErrPinned)
	}
	published, skipped := p.Counts()
	assert.Equal(t, [2]uint64{4, 3}, [2]uint64{published, skipped})
	for i, f := range frames {
		assert.Equal(t, digests[i], world.Digest(f.State()))
	}
	frames[0].Unpin()
	require.NoError(t, p.Offer(s))
	require.NoError(t, p.Close())
}

// TestAWriterThatIsKilled: three readers beside a writer that is killed at any moment see whole
// frames alone, also after its death.
func TestAWriterThatIsKilled(t *testing.T) {
	for round := range 3 {
		path := filepath.Join(t.TempDir(), fmt.Sprint("w", round))
		writer := exec.Command(os.Args[0]) //nolint:gosec // this test
		writer.Env = append(os.Environ(), writerPath+"="+path)
		out := world.Must(writer.StdoutPipe())
		require.NoError(t, writer.Start())
		require.Equal(t, "published\n", world.Must(bufio.NewReader(out).ReadString('\n')))
		read := make(chan seen, 3)
		for range 3 {
			go func() { read <- readFrames(path) }()
		}
		time.Sleep(time.Duration(20+17*round) * time.Millisecond)
		if worldtest.AtLength() {
			time.Sleep(5 * time.Second)
		}
		require.NoError(t, writer.Process.Kill())
		_ = writer.Wait()
		frames := 0
		for range 3 {
			r := <-read
			require.NoError(t, r.err)
			assert.Zero(t, r.torn)
			frames += r.frames
		}
		t.Log(frames, "frames")
	}
}

// seen is what a reader has seen.
type seen struct {
	frames, torn int
	err          error
}

// readFrames reads until the writer is gone, and one frame more.
func readFrames(path string) (all seen) {
	r, err := share.Open(path, counts())
	if err != nil {
		return seen{err: err}
	}
	last := uint64(0)
	for there := true; there && all.err == nil; {
		there = r.Writing()
		var f *share.Frame
		if f, all.err = r.Pin(); all.err != nil {
			break
		}
		if f.Number() == last {
			f.Unpin()
			time.Sleep(10 * time.Microsecond)
			continue
		}
		last = f.Number()
		if _, ok := whole(f.State()); !ok {
			all.torn++
		}
		all.frames++
	}
	return seen{all.frames, all.torn, errors.Join(all.err, r.Close())}
}

// framesChange checks that a reader that has pinned a frame looks again at the bytes of the next.
func framesChange(t *testing.T, path string, whole []byte, s world.State) {
	t.Helper()
	r := world.Must(share.Open(path, counts()))
	defer func() { require.NoError(t, r.Close()) }()
	world.Must(r.Pin()).Unpin()
	slot := int(whole[32]) // the latest
	at, counters := bytes.LastIndex(whole, world.Bytes(s)[:512]), tool.Parts(s)[1]
	require.Equal(t, "counters", counters.Name)
	for _, damage := range []struct {
		at    int
		bytes []byte
		err   error
	}{
		{at + counters.Offset(), bytes.Repeat([]byte{0xff}, 8), share.ErrFormat},
		{64 + 8*slot, []byte{whole[64+8*slot] | 1}, share.ErrNone}, // it is written now
	} {
		f := world.Must(os.OpenFile(path, os.O_RDWR, 0))
		world.Must(f.WriteAt(damage.bytes, int64(damage.at)))
		_, err := r.Pin()
		require.ErrorIs(t, err, damage.err)
		_, err = f.WriteAt(whole[damage.at:][:len(damage.bytes)], int64(damage.at))
		require.NoError(t, errors.Join(err, f.Close()))
		world.Must(r.Pin()).Unpin()
	}
}

func TestOthersAreRefused(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "w")
	s := made(3)
	p := world.Must(share.Publish(path, s, share.Options{}))
	require.NoError(t, p.Offer(s))
	more := counts()
	more.GameObjects = 5000
	r := world.Must(share.Open(path, more))
	_, err := r.Pin()
	require.ErrorIs(t, err, memory.ErrOther)
	require.NoError(t, r.Close())
	require.NoError(t, p.Close())
	whole := world.Must(os.ReadFile(path))
	framesChange(t, path, whole, s)
	for _, n := range []int{0, 100, 4096, 5000, len(whole) - 4096} {
		require.NoError(t, os.WriteFile(path, whole[:n], 0o600))
		_, err = share.OpenAny(path)
		require.Error(t, err, n)
	}
	for at := range 96 {
		forged := append([]byte(nil), whole...)
		forged[at] ^= 0x55
		require.NoError(t, os.WriteFile(path, forged, 0o600))
		if r, err := share.OpenAny(path); err == nil {
			_, _ = r.Pin()
			require.NoError(t, r.Close())
		}
	}
	_, err = share.Publish(path, s, share.Options{Slots: 1})
	require.ErrorContains(t, err, "two more than readers")
	link, pipe := filepath.Join(dir, "link"), filepath.Join(dir, "pipe")
	require.NoError(t, errors.Join(os.Symlink(path, link), syscall.Mkfifo(pipe, 0o600)))
	for other, kind := range map[string]string{
		link: "a symbolic link", dir: "a folder", os.DevNull: "a device", pipe: "a pipe",
	} {
		_, err = share.Publish(other, s, share.Options{})
		require.ErrorContains(t, err, other+": this is not a regular file: it is "+kind)
		if _, err = share.OpenAny(other); other != link {
			require.ErrorContains(t, err, other+": this is not a regular file: it is "+kind)
		}
	}
	require.NoError(t, errors.Join(os.Remove(link), os.Remove(pipe), os.Remove(path)))
	path = filepath.Join(dir, strings.Repeat("w", 255))
	killed, begins := filepath.Join(dir, ".publishing.1"), filepath.Join(dir, ".publishing.2")
	require.NoError(t, os.WriteFile(killed, nil, 0o600))
	other := world.Must(os.Create(begins)) // of a publisher that still makes it
	require.True(t, world.Must(mapping.Lock(other, 0, mapping.Writing)))
	p = world.Must(share.Publish(path, s, share.Options{}))
	require.NoFileExists(t, killed)
	require.NoError(t, errors.Join(p.Close(), os.Remove(begins), other.Close()))
	_, err = share.Publish(filepath.Join(dir, "none", "w"), s, share.Options{})
	require.ErrorIs(t, err, os.ErrNotExist)
	assert.Len(t, world.Must(os.ReadDir(dir)), 1, "nothing is left behind")
}

// TestAFullDiskIsAnErrorOfPublish: not a signal that ends the program when it writes.
func TestAFullDiskIsAnErrorOfPublish(t *testing.T) {
	s := made(3)
	dir := worldtest.SmallDisk(t, 16<<10)
	path := filepath.Join(dir, "w")
	_, err := share.Publish(path, s, share.Options{})
	require.ErrorIs(t, err, syscall.ENOSPC)
	require.ErrorContains(t, err, path+": no space left on device for its ")
	require.ErrorContains(t, err, " bytes; make room, or publish where a file can be written")
	require.Empty(t, world.Must(os.ReadDir(dir)), "and nothing is left")
}
