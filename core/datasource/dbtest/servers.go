package dbtest

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"querent.dev/querent/core/schema"
)

const host = "127.0.0.1"

// ports is how often another port is tried when one was taken in between.
const ports = 5

// start makes a data folder with prepare and starts a server in it.
func start(d schema.Dialect, prepare func(dir string) error, run func(dir string, port int) (*process, error)) (*Server, error) {
	var failed error
	for range ports {
		s, err := startOnce(d, prepare, run)
		if err == nil {
			return s, nil
		}
		failed = err
		if !strings.Contains(strings.ToLower(err.Error()), "address already in use") {
			break
		}
	}
	return nil, fmt.Errorf("start a %s server for the tests: %w", d, failed)
}

func startOnce(d schema.Dialect, prepare func(dir string) error, run func(dir string, port int) (*process, error)) (*Server, error) {
	dir, err := newFolder(string(d))
	if err != nil {
		return nil, err
	}
	port, err := freePort()
	if err == nil {
		err = errors.Join(writeCertificates(dir), prepare(dir))
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	p, err := run(dir, port)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	s := &Server{Dialect: d, Host: host, Port: port, CAFile: filepath.Join(dir, "ca.pem"), process: p}
	db, err := s.pool(s.home())
	if err != nil {
		p.stop()
		return nil, err
	}
	defer db.Close()
	if err := p.await(db.PingContext); err != nil {
		p.stop()
		return nil, err
	}
	return s, nil
}

// postgresFolders is where Debian keeps the programs of each version.
const postgresFolders = "/usr/lib/postgresql/*/bin"

func startPostgres() (*Server, error) {
	initdb, err := find("initdb", "postgresql", postgresFolders)
	if err != nil {
		return nil, err
	}
	server, err := find("postgres", "postgresql", postgresFolders)
	if err != nil {
		return nil, err
	}
	return start(schema.Postgres, func(dir string) error {
		if err := write(filepath.Join(dir, "password"), []byte(Password)); err != nil {
			return err
		}
		return setup(dir, nil, initdb, "--pgdata=data", "--username="+User, "--pwfile=password", "--no-sync",
			"--auth-host=scram-sha-256", "--auth-local=reject", "--encoding=UTF8", "--locale=C.UTF-8")
	}, func(dir string, port int) (*process, error) {
		args := []string{"-D", "data", "-p", strconv.Itoa(port)}
		for _, setting := range []string{
			"listen_addresses=" + host, "unix_socket_directories=",
			"fsync=off", "synchronous_commit=off", "full_page_writes=off", "wal_level=minimal", "max_wal_senders=0",
			"autovacuum=off", "max_connections=200", "timezone=Asia/Seoul", "jit=off",
			"ssl=on", "ssl_cert_file=" + filepath.Join(dir, "server.pem"), "ssl_key_file=" + filepath.Join(dir, "server.key"),
		} {
			args = append(args, "-c", setting)
		}
		return launch(dir, "QUIT", server, args...)
	})
}

// mariaDBScripts are the parts of MariaDB's system tables, in order. The last has
// a few time zones.
var mariaDBScripts = []string{
	"mysql_system_tables.sql", "mysql_performance_tables.sql", "mysql_system_tables_data.sql", "mysql_test_data_timezone.sql",
}

func startMariaDB() (*Server, error) {
	server, err := find("mariadbd", "mariadb-server", "/usr/sbin", "/usr/libexec")
	if err != nil {
		return nil, err
	}
	return start(schema.MySQL, func(dir string) error {
		script, err := mariaDBBootstrap()
		if err != nil {
			return err
		}
		if err := errors.Join(os.Mkdir(filepath.Join(dir, "data"), 0o700), own(filepath.Join(dir, "data"))); err != nil {
			return err
		}
		return setup(dir, script, server, mariaDBArgs(dir, "--bootstrap")...)
	}, func(dir string, port int) (*process, error) {
		return launch(dir, "KILL", server, mariaDBArgs(dir,
			"--port="+strconv.Itoa(port), "--bind-address="+host, "--socket="+filepath.Join(dir, "socket"),
			"--pid-file="+filepath.Join(dir, "server.pid"), "--default-time-zone=+09:00", "--max-connections=200",
			"--ssl-cert="+filepath.Join(dir, "server.pem"), "--ssl-key="+filepath.Join(dir, "server.key"))...)
	})
}

func mariaDBArgs(dir string, more ...string) []string {
	return append([]string{
		"--no-defaults", "--datadir=" + filepath.Join(dir, "data"), "--tmpdir=" + dir,
		"--character-set-server=utf8mb4", "--collation-server=utf8mb4_general_ci",
		"--innodb-log-file-size=48M", "--innodb-buffer-pool-size=64M",
		"--innodb-flush-log-at-trx-commit=0", "--innodb-doublewrite=0", "--skip-log-bin", "--skip-name-resolve",
		"--innodb-flush-method=nosync", "--sync-frm=0",
	}, more...)
}

// mariaDBBootstrap is the script that makes the system tables and the account of
// the tests.
func mariaDBBootstrap() (io.Reader, error) {
	var script strings.Builder
	script.WriteString("CREATE DATABASE mysql;\nUSE mysql;\n")
	for _, name := range mariaDBScripts {
		path, err := find(name, "mariadb-server", "/usr/share/mysql", "/usr/share/mariadb")
		if err != nil {
			return nil, err
		}
		part, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		script.Write(part)
		script.WriteString("\n")
	}
	fmt.Fprintf(&script, "FLUSH PRIVILEGES;\nCREATE USER '%s'@'%%' IDENTIFIED BY '%s';\nGRANT ALL ON *.* TO '%[1]s'@'%%' WITH GRANT OPTION;\n", User, Password)
	return strings.NewReader(script.String()), nil
}
