package udp

import (
	"net"
	"runtime"
	"sync"

	"golang.org/x/net/ipv4"
)

// batched says whether the system takes many datagrams in one call.
const batched = runtime.GOOS == "linux"

// room is the most datagrams that are kept until they are sent.
const room = 64

// A batch collects datagrams, so that many are sent in one call.
type batch struct {
	mu       sync.Mutex
	socket   *net.UDPConn
	many     *ipv4.PacketConn // of the same socket; also sends by IPv6
	messages [room]ipv4.Message
	buffers  [room][1][]byte
	n        int
}

func newBatch(socket *net.UDPConn) *batch {
	b := &batch{socket: socket, many: ipv4.NewPacketConn(socket)}
	for i := range b.messages {
		b.buffers[i][0] = make([]byte, 0, maxPacket)
		b.messages[i].Buffers = b.buffers[i][:]
	}
	return b
}

// add appends a packet for an address. The caller has locked b.
func (b *batch) add(to *net.UDPAddr, c *codec, kind byte, number uint64, body []byte) {
	if b.n == room {
		b.send()
	}
	m := &b.messages[b.n]
	m.Addr = to
	m.Buffers[0] = c.seal(m.Buffers[0][:0], kind, number, body)
	b.n++
}

// send sends the batch. Datagrams that the system refuses are lost. The caller has locked b.
func (b *batch) send() {
	for rest := b.messages[:b.n]; len(rest) > 0; {
		n := 1
		if batched {
			sent, _ := b.many.WriteBatch(rest, 0)
			n = max(n, sent) // if none was sent, the first one was refused
		} else {
			_, _ = b.socket.WriteTo(rest[0].Buffers[0], rest[0].Addr) // lost if not sent
		}
		rest = rest[n:]
	}
	b.n = 0
}

func (b *batch) flush() {
	b.mu.Lock()
	b.send()
	b.mu.Unlock()
}
