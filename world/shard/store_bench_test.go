package shard_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/flatecs/flatecs/world/shard"
	"github.com/flatecs/flatecs/world/shard/server"
)

// BenchmarkStore stores messages of a size from so many senders at once, each of which waits for the
// server's answer, as shards do.
func BenchmarkStore(b *testing.B) {
	for _, size := range []int{100, 24 << 10, 231 << 10} {
		for _, senders := range []int{1, 2, 4, 8, 16} {
			b.Run(fmt.Sprintf("%d bytes/%d senders", size, senders), func(b *testing.B) {
				store(b, size, senders)
			})
		}
	}
}

func store(b *testing.B, size, senders int) {
	b.Helper()
	s, err := server.Start(server.Options{Dir: b.TempDir()})
	require.NoError(b, err)
	b.Cleanup(func() { assert.NoError(b, s.Stop()) })
	var streams []jetstream.JetStream
	for range senders {
		nc, err := shard.Connect(shard.Server{URL: s.URL()})
		require.NoError(b, err)
		b.Cleanup(nc.Close)
		js, err := jetstream.New(nc)
		require.NoError(b, err)
		streams = append(streams, js)
	}
	_, err = streams[0].CreateStream(b.Context(), jetstream.StreamConfig{
		Name: "store", Subjects: []string{"store.>"}, AllowDirect: true,
	})
	require.NoError(b, err)
	var number atomic.Int64
	body := make([]byte, size)
	b.SetBytes(int64(size))
	b.ResetTimer()
	var work sync.WaitGroup
	for _, js := range streams {
		work.Go(func() {
			for n := number.Add(1); n <= int64(b.N); n = number.Add(1) {
				_, err := js.Publish(b.Context(), fmt.Sprintf("store.%d", n), body,
					jetstream.WithExpectLastSequencePerSubject(0))
				if err != nil {
					b.Error(err)
				}
			}
		})
	}
	work.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "messages/s")
}
