package config

import (
	"net"
	"net/netip"
	"strconv"
)

// server checks what the HTTP server is set to. Files are looked at when it
// starts, since other commands do without them.
func (k *checker) server() {
	s, at := k.c.Server, path{"server"}
	host, port, err := net.SplitHostPort(s.Listen)
	if _, wrong := strconv.ParseUint(port, 10, 16); err != nil || wrong != nil {
		k.fail(at.with("listen"), "%q is no address: expected host:port, such as 127.0.0.1:8080", s.Listen)
		return
	}
	tls := s.TLS.Cert != "" || s.TLS.Key != ""
	switch {
	case tls && s.TLS.Cert == "":
		k.fail(at.with("tls"), "cert is missing: the file of the certificate")
	case tls && s.TLS.Key == "":
		k.fail(at.with("tls"), "key is missing: the file of the certificate's key")
	case tls && s.InsecureListen:
		k.fail(at.with("insecure_listen"), "contradicts tls: remove one of them")
	case !tls && !s.InsecureListen && !Loopback(host):
		k.fail(at.with("listen"), "%s can be reached from other machines, and keys and answers would cross the network in the clear: set server.tls, listen on 127.0.0.1, or set server.insecure_listen where a proxy encrypts", s.Listen)
	}
}

// Loopback reports whether host, a name or an address without a port, is this
// machine alone for certain.
func Loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}
