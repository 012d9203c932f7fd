//go:build !js

package webtransport

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"sync"
	"time"
)

// Browsers accept a certificate by its hash if it is valid for at most two weeks.
const (
	valid = 13 * 24 * time.Hour
	fresh = valid / 2 // in which pages get it
	early = time.Hour // tolerance for slow clocks
)

// A signer creates certificates, one after the other.
type signer struct {
	now func() time.Time

	mu    sync.Mutex // guards the fields below
	last  *tls.Certificate
	ended time.Time // time after which another certificate is created
}

// certificate returns the current certificate.
func (s *signer) certificate(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	if s.last != nil && now.Before(s.ended) {
		return s.last, nil
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	c := &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()), Subject: pkix.Name{CommonName: "flatecs"},
		NotBefore: now.Add(-early), NotAfter: now.Add(valid - early),
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	s.last, s.ended = &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, now.Add(fresh)
	return s.last, nil
}

// hash returns the SHA-256 of the current certificate.
func (s *signer) hash() ([]byte, error) {
	c, err := s.certificate(nil)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(c.Certificate[0])
	return sum[:], nil
}
