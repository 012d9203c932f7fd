package main

import (
	"context"
	"net"
	"net/netip"

	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/link/udp"
)

// A local is a door for players in the same program, all of whom are there.
type local struct{ come []link.Client }

// within returns a door at end 0 of a network, and the links of the other ends to it.
func within(n *link.Network, players int) (door link.Listener, links []link.Link) {
	l := &local{}
	for i := range players {
		l.come = append(l.come, neighbour{n.Link(0, i+1), uint64(i)})
		links = append(links, n.Link(i+1, 0))
	}
	return l, links
}

func (l *local) Accept() (link.Client, bool) {
	if len(l.come) == 0 {
		return nil, false
	}
	c := l.come[0]
	l.come = l.come[1:]
	return c, true
}

func (l *local) Flush()       {}
func (l *local) Close() error { return nil }

// A neighbour is a player that is known by its number.
type neighbour struct {
	link.Link
	id uint64
}

func (c neighbour) ID() uint64   { return c.id }
func (c neighbour) Data() []byte { return nil }
func (c neighbour) Err() error   { return nil }
func (c neighbour) Close()       {}

// overUDP returns a server's socket, and connections to it by tokens.
func overUDP(n int) (link.Listener, []link.Link, error) {
	socket, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return nil, nil, err
	}
	key, links := udp.NewKey(), make([]link.Link, n)
	door, err := udp.Listen(socket, udp.Options{Key: key, Clients: n})
	for i := range links {
		var token []byte
		if err == nil {
			servers := []netip.AddrPort{door.Addr()}
			token, err = udp.Token{Client: uint64(i), Servers: servers}.Seal(key)
		}
		if err == nil {
			links[i], err = udp.Dial(context.Background(), token)
		}
	}
	return door, links, err
}
