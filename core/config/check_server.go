package config

import (
	"fmt"
	"net"
	"net/netip"
	"strconv"
)

// server checks what the HTTP server is set to. Files are looked at when it
// starts, since other commands do without them.
func (k *checker) server() {
	s, at := k.c.Server, path{"server"}
	tls := s.TLS.Cert != "" || s.TLS.Key != ""
	switch {
	case tls && s.TLS.Cert == "":
		k.fail(at.with("tls"), "cert is missing: the file of the certificate")
	case tls && s.TLS.Key == "":
		k.fail(at.with("tls"), "key is missing: the file of the certificate's key")
	case tls && s.InsecureListen:
		k.fail(at.with("insecure_listen"), "contradicts tls: remove one of them")
	}
	if problem := s.Unsafe(); problem != "" {
		k.fail(at.with("listen"), "%s", problem)
	}
	if _, port, err := net.SplitHostPort(s.Metrics.Listen); s.Metrics.Listen != "" {
		if _, wrong := strconv.ParseUint(port, 10, 16); err != nil || wrong != nil {
			k.fail(at.with("metrics").with("listen"), "%q is no address: expected host:port, such as 127.0.0.1:9464", s.Metrics.Listen)
		}
	}
}

// Unsafe says what is wrong with the address that the server listens on, "" for
// nothing.
func (s Server) Unsafe() string {
	host, port, err := net.SplitHostPort(s.Listen)
	if _, wrong := strconv.ParseUint(port, 10, 16); err != nil || wrong != nil {
		return fmt.Sprintf("%q is no address: expected host:port, such as 127.0.0.1:8080", s.Listen)
	}
	if s.TLS == (ServerTLS{}) && !s.InsecureListen && !Loopback(host) {
		return s.Listen + " can be reached from other machines, and keys and answers would cross the network in the clear: " +
			"set server.tls, listen on 127.0.0.1, or set server.insecure_listen where a proxy encrypts"
	}
	return ""
}

// Loopback reports whether host, a name or an address without a port, is this
// machine alone for certain.
func Loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}
