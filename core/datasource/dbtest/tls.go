package dbtest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"path/filepath"
	"time"
)

// lifetime is that of the certificates: longer than any run of tests.
const lifetime = 24 * time.Hour

// writeCertificates makes an authority and a certificate of the server's address.
func writeCertificates(dir string) error {
	authority := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Querent test authority"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(lifetime),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	server := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: host}, IPAddresses: []net.IP{net.ParseIP(host)},
		NotBefore: authority.NotBefore, NotAfter: authority.NotAfter,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	authorityKey, err1 := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	serverKey, err2 := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	authorityDER, err1 := x509.CreateCertificate(rand.Reader, authority, authority, authorityKey.Public(), authorityKey)
	serverDER, err2 := x509.CreateCertificate(rand.Reader, server, authority, serverKey.Public(), authorityKey)
	keyDER, err3 := x509.MarshalPKCS8PrivateKey(serverKey)
	return errors.Join(err1, err2, err3,
		writePEM(filepath.Join(dir, "ca.pem"), "CERTIFICATE", authorityDER),
		writePEM(filepath.Join(dir, "server.pem"), "CERTIFICATE", serverDER),
		writePEM(filepath.Join(dir, "server.key"), "PRIVATE KEY", keyDER))
}

func writePEM(path, kind string, der []byte) error {
	return write(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}
