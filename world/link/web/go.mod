// Module web carries datagrams to browsers by WebSocket. It is a module of its own, so that the
// library does not depend on one.
module github.com/flatecs/flatecs/world/link/web

go 1.26.0

require (
	github.com/coder/websocket v1.8.15
	github.com/flatecs/flatecs v0.0.0
	github.com/stretchr/testify v1.12.1
)

require (
	github.com/klauspost/cpuid/v2 v2.4.2 // indirect
	github.com/zeebo/xxh3 v1.1.0 // indirect
	go.yaml.in/yaml/v3 v3.0.6 // indirect
	golang.org/x/sys v0.50.0 // indirect
)
