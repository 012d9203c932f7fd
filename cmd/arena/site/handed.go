//go:build !js

package site

import (
	"fmt"
	"net"
	"net/netip"
	"time"

	"github.com/flatecs/flatecs/cmd/arena"
	"github.com/flatecs/flatecs/world/hand"
	"github.com/flatecs/flatecs/world/link/udp"
)

// Names of data that travels with the world, or is kept with it in case of a crash.
const (
	hostKey    = "arena"
	udpKey     = "arena udp"
	addressKey = "arena udp address"
)

// Socket returns the socket of the previous program, or after its death a socket with the same
// address. It returns nil if the previous program had none.
func Socket(h *hand.Hand) (*net.UDPConn, error) {
	if f := h.File(udpKey); f != nil {
		return udp.SocketOf(f)
	}
	address := h.Bytes(addressKey)
	if address == nil {
		return nil, nil
	}
	at, err := netip.ParseAddrPort(string(address))
	if err != nil {
		return nil, fmt.Errorf("arena: %w", err)
	}
	return net.ListenUDP("udp", net.UDPAddrFromAddrPort(at))
}

// newHost returns a host, which continues from the previous program's host if there is one.
func newHost(o *Options) (*arena.Host, error) {
	if o.Hand == nil {
		return arena.NewHost(o.Players, o.Seed)
	}
	return arena.GoOn(o.World, o.Players, o.Hand.Bytes(hostKey), o.Hand.Lost())
}

// keep makes the data of players travel with the world.
func (r *Room) keep() {
	h := r.options.Hand
	if h == nil {
		return
	}
	h.Keep(hostKey, r.host.AppendState)
	if r.udp != nil {
		h.Keep(udpKey, r.udp.AppendState)
		h.Keep(addressKey, func(dst []byte) []byte { return r.udp.Addr().AppendTo(dst) })
	}
	h.OnOffer(r.offer)
}

// offer hands the socket over, and closes the connections of browsers, which reconnect.
func (r *Room) offer(o *hand.Offer) error {
	since := time.Now()
	o.OnRefused(func() {
		r.host.Skip(time.Since(since))
		r.reopenPages()
		if r.udp != nil {
			r.udp.Resume()
		}
	})
	for _, m := range r.members {
		if m.client.ID()&isProgram == 0 {
			m.client.Close()
		}
	}
	if err := r.closePages(); err != nil || r.udp == nil {
		return err
	}
	f, err := r.udp.Pause()
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	return o.File(udpKey, f)
}

// continues reports whether this program plays the next tick.
func (r *Room) continues() bool {
	h := r.options.Hand
	if h == nil || h.Continue(r.host.State()) {
		return true
	}
	r.handedOver = h.Code() == 0
	return false
}
