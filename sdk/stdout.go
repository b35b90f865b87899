package sdk

import (
	"bufio"
	"io"
	"os"
	"regexp"
)

// stdout is the process's own standard output. It carries the handshake's one
// line and must carry nothing before it, so in a plugin process os.Stdout is
// standard error from the start: also what is printed before Serve is called
// stays out of the way.
var stdout = takeStdout()

func takeStdout() *os.File {
	own := os.Stdout
	if os.Getenv(MagicCookieKey) == MagicCookieValue {
		os.Stdout = os.Stderr
	}
	return own
}

// handshakeLine is what go-plugin prints once it listens: the versions of
// go-plugin's and of our protocol, the network, the address and more.
var handshakeLine = regexp.MustCompile(`^\d+\|\d+\|(unix|tcp)\|[^|]+\|`)

// passHandshake copies the first handshake line of from to the host, and every
// other line to stray. It returns at the end of from.
func passHandshake(from io.Reader, host, stray io.Writer) {
	lines := bufio.NewReader(from)
	passed := false
	for {
		line, err := lines.ReadString('\n')
		to := stray
		if !passed && handshakeLine.MatchString(line) {
			to, passed = host, true
		}
		// A failing write means that the host is gone; reading on keeps whoever
		// prints from blocking until the process ends.
		_, _ = io.WriteString(to, line)
		if err != nil {
			return
		}
	}
}
