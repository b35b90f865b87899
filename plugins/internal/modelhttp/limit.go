package modelhttp

import (
	"io"
	"net/http"
)

// Limit is an Exchange.Wrap that ends a body after n bytes.
func Limit(n int64) func(*http.Response) io.ReadCloser {
	return func(resp *http.Response) io.ReadCloser {
		return struct {
			io.Reader
			io.Closer
		}{io.LimitReader(resp.Body, n), resp.Body}
	}
}
