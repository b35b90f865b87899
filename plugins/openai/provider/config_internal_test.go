package provider

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"querent.dev/querent/sdk"
)

func TestConfigurationPrintsWithoutItsKey(t *testing.T) {
	cfg, err := readConfig(sdk.Configuration{Settings: json.RawMessage(`{"base_url":"http://h/v1","api_key":"sk-0123456789","headers":{"X":"hunter22"}}`)})
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range []string{"%v", "%+v", "%#v", "%s"} {
		text := fmt.Sprintf(form, cfg)
		if strings.Contains(text, "0123456789") || strings.Contains(text, "hunter22") || !strings.Contains(text, "http://h/v1") {
			t.Errorf("%s prints %q", form, text)
		}
	}
}
