package mysql

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/url"
	"os"
	"strings"

	driver "github.com/go-sql-driver/mysql"

	"querent.dev/querent/core/datasource/internal/remote"
)

const defaultPort = "3306"

var errDSN = errors.New("expected mysql://USER:PASSWORD@HOST:PORT/DATABASE, with special characters escaped as %XX, or USER:PASSWORD@tcp(HOST:PORT)/DATABASE")

// parseDSN reads both forms. No error quotes the DSN, which may hold a password.
func parseDSN(dsn string) (*driver.Config, error) {
	var config *driver.Config
	var err error
	if strings.HasPrefix(dsn, "mysql://") || strings.HasPrefix(dsn, "mariadb://") {
		config, err = parseURL(dsn)
	} else if config, err = driver.ParseDSN(dsn); err != nil {
		err = errDSN
	}
	if err != nil {
		return nil, err
	}
	config.Timeout = remote.ConnectTimeout
	// What the host reads must not depend on the DSN, and nothing but one statement
	// goes to the server.
	config.MultiStatements, config.AllowAllFiles, config.InterpolateParams, config.ParseTime = false, false, false, false
	config.ColumnsWithAlias, config.ClientFoundRows = false, false
	config.Logger = log.New(io.Discard, "", 0) // errors are returned, too
	return config, nil
}

func parseURL(dsn string) (*driver.Config, error) {
	u, err := url.Parse(dsn)
	if err != nil {
		return nil, errDSN
	}
	options := u.Query()
	authority, socket := options.Get("tls-ca"), options.Get("socket")
	options.Del("tls-ca")
	options.Del("socket")
	config, err := driver.ParseDSN("/?" + options.Encode())
	if err != nil {
		return nil, errors.New("an option behind the ? is not known or has a wrong value")
	}
	config.DBName = strings.TrimPrefix(u.Path, "/")
	config.User = u.User.Username()
	config.Passwd, _ = u.User.Password()
	config.Net, config.Addr = "tcp", net.JoinHostPort(u.Hostname(), u.Port())
	switch {
	case socket != "":
		config.Net, config.Addr = "unix", socket
	case u.Hostname() == "":
		return nil, errDSN
	case u.Port() == "":
		config.Addr = net.JoinHostPort(u.Hostname(), defaultPort)
	}
	if authority != "" {
		config.TLS, err = trusting(authority, u.Hostname())
	} else if config.TLS != nil && config.TLS.ServerName == "" && !config.TLS.InsecureSkipVerify {
		config.TLS.ServerName = u.Hostname()
	}
	return config, err
}

// trusting is the TLS of a server whose certificate an authority of its own signed.
func trusting(file, host string) (*tls.Config, error) {
	pem, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read tls-ca: %w", err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("tls-ca: %s holds no certificate", file)
	}
	return &tls.Config{RootCAs: roots, ServerName: host, MinVersion: tls.VersionTLS12}, nil
}
