//go:build unix

package gym

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// A config is the agent's configuration, a line of JSON.
type config struct {
	Envs, Frames, Workers, Memory int // frames per action; descriptor of the shared file
	Column                        bool
}

// A request is five numbers, little-endian, and bytes. The answer is a failure flag and a size,
// both uint32, followed by that many bytes: the result, or the error.
type request struct {
	numbers
	bytes []byte
}

type numbers struct{ Op, First, N, From, Size uint32 }

const maxBytes = 1 << 28 // of a request or an answer

// Serve serves a game to the agent that started this program by flatecs_gym.py, until the agent
// ends. It returns an error if a requested feature is not available, or a stream fails.
func Serve[O, A Value](game *Env[O, A]) error { return serve(os.Stdin, os.Stdout, game.open) }

func serve(in io.Reader, out io.Writer, open func(*config) (map[string]any, doer, error)) error {
	r := bufio.NewReader(in)
	line, _ := r.ReadSlice('\n')
	var c config
	if err := json.Unmarshal(line, &c); err != nil {
		return fmt.Errorf("gym: no line of JSON came: %w; start the game by flatecs_gym.py", err)
	}
	told, do, err := open(&c)
	if err != nil {
		told = map[string]any{"Error": err.Error()}
	}
	err = errors.Join(err, json.NewEncoder(out).Encode(told))
	for err == nil {
		err = answer(r, out, do, c.Envs)
	}
	if errors.Is(err, io.EOF) { // the agent has ended
		_, err = do(&request{numbers: numbers{Op: 'e'}})
	}
	return err
}

type doer = func(q *request) ([]byte, error)

// answer answers a request.
func answer(r io.Reader, out io.Writer, do doer, envs int) error {
	var q request
	if err := binary.Read(r, binary.LittleEndian, &q.numbers); err != nil {
		return err
	}
	if q.Size > maxBytes {
		return fmt.Errorf("gym: a request of %d bytes; give %d at most", q.Size, maxBytes)
	}
	q.bytes = make([]byte, q.Size)
	n, err := io.ReadFull(r, q.bytes)
	if err != nil {
		return fmt.Errorf("gym: a request was cut off after %d of %d bytes", n, q.Size)
	}
	result, failed, all := []byte(nil), uint64(0), uint64(envs)
	if uint64(q.First)+uint64(q.N) > all || q.N == 0 || uint64(q.From) >= all {
		err = fmt.Errorf("gym: %d environments from %d on, and number %d; there are 0 to %d", q.N,
			q.First, q.From, envs-1)
	} else {
		result, err = do(&q)
	}
	if err != nil {
		result, failed = []byte(err.Error()), 1
	}
	head := binary.LittleEndian.AppendUint64(nil, failed|uint64(len(result))<<32)
	_, err = out.Write(append(head, result...))
	return err
}
