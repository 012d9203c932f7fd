//go:build !js

package webtransport

import (
	"crypto/x509"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A certificate is one that browsers take by its hash, and is followed by another one in time.
func TestCertificatesFollow(t *testing.T) {
	now := time.Now()
	s := signer{now: func() time.Time { return now }}
	first, err := s.hash()
	require.NoError(t, err)
	c, err := s.certificate(nil)
	require.NoError(t, err)
	parsed, err := x509.ParseCertificate(c.Certificate[0])
	require.NoError(t, err)
	assert.LessOrEqual(t, parsed.NotAfter.Sub(parsed.NotBefore), 14*24*time.Hour)
	assert.True(t, parsed.NotBefore.Before(now) && parsed.NotAfter.After(now.Add(fresh)))
	now = now.Add(fresh - time.Second)
	same, err := s.hash()
	require.NoError(t, err)
	assert.Equal(t, first, same)
	now = now.Add(2 * time.Second)
	next, err := s.hash()
	require.NoError(t, err)
	assert.NotEqual(t, first, next)
}
