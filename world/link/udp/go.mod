// Module udp carries datagrams over UDP by the netcode standard. It is a module of its own, so that
// the library does not depend on cryptography.
module github.com/flatecs/flatecs/world/link/udp

go 1.26.0

require (
	github.com/flatecs/flatecs v0.0.0
	github.com/stretchr/testify v1.12.1
	golang.org/x/crypto v0.59.0
	golang.org/x/net v0.62.0
)

require (
	github.com/klauspost/cpuid/v2 v2.4.2 // indirect
	github.com/x448/float16 v0.8.4 // indirect
	github.com/zeebo/xxh3 v1.1.0 // indirect
	go.yaml.in/yaml/v3 v3.0.6 // indirect
	golang.org/x/sys v0.50.0 // indirect
)
