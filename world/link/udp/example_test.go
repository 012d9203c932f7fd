package udp_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/netip"
	"time"

	"github.com/flatecs/flatecs/world/link"
	"github.com/flatecs/flatecs/world/link/udp"
)

// A matchmaker, a server and a client in one process.
func Example() {
	key, player, room := udp.NewKey(), uint64(7), []byte{3}
	socket, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		log.Fatal(err)
	}
	listener, err := udp.Listen(socket, udp.Options{Protocol: 1, Key: key, Clients: 1000})
	if err != nil {
		log.Fatal(err)
	}
	defer listener.Close()
	servers := []netip.AddrPort{listener.Addr()}

	token, err := udp.Token{Protocol: 1, Client: player, Servers: servers, Data: room}.Seal(key)
	if err != nil {
		fmt.Println(err)
		return
	}

	conn, err := udp.Dial(context.Background(), token)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer conn.Close()

	for client, ok := listener.Accept(); ok; client, ok = listener.Accept() {
		fmt.Println("player", client.ID(), "comes to room", client.Data()[0])
		client.Send([]byte("hello")) // as a replica.Server does
	}
	listener.Flush()

	for {
		if datagram, ok := conn.Receive(); ok {
			fmt.Printf("%s\n", datagram)
			return
		}
		time.Sleep(time.Millisecond)
	}
	// Output:
	// player 7 comes to room 3
	// hello
}

// Two rooms on one socket: a token names one.
func Example_rooms() {
	socket, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		log.Fatal(err)
	}
	key := udp.NewKey()
	rooms := new(link.Rooms)
	listener, err := udp.Listen(socket, udp.Options{
		Protocol: 1, Key: key, Clients: 9, Admit: rooms.Admit,
	})
	if err != nil {
		log.Fatal(err)
	}
	rooms.Add(listener) // and those for browsers
	red, blue := rooms.Open(1), rooms.Open(2)
	defer listener.Close()

	dial := func(number byte) error {
		token, err := udp.Token{
			Protocol: 1, Servers: []netip.AddrPort{listener.Addr()},
			Client: 70 + uint64(number), Data: []byte{number},
		}.Seal(key)
		if err != nil {
			return err
		}
		_, err = udp.Dial(context.Background(), token)
		return err
	}
	fmt.Println(dial(1), dial(2), errors.Is(dial(3), udp.ErrDenied))
	first, _ := red.Accept()
	second, _ := blue.Accept()
	fmt.Println("red has", first.ID(), "and blue", second.ID())
	// Output:
	// <nil> <nil> true
	// red has 71 and blue 72
}
