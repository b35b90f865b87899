package pluginhost

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"querent.dev/querent/sdk"
	"querent.dev/querent/sdk/reason"
)

// configuration is what a provider's plugin is sent: its settings, checked
// against the plugin's own schema, and the files that they name. Errors say
// where in the settings the problem is and what is expected, and never repeat a
// setting's value, which may be a secret.
func configuration(s Spec, schema json.RawMessage) (sdk.Configuration, error) {
	settings := s.Settings
	if len(settings) == 0 {
		settings = json.RawMessage("{}")
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(settings))
	if err != nil {
		return sdk.Configuration{}, s.misconfigured("its settings are not JSON")
	}
	c := sdk.Configuration{Provider: string(s.Provider), Settings: settings}
	if len(schema) == 0 {
		return c, nil
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return sdk.Configuration{}, s.badSchema(err)
	}
	if err := validate(s, document, value); err != nil {
		return sdk.Configuration{}, err
	}
	c.Files, err = readFiles(s, document, value)
	return c, err
}

// badSchema blames the plugin, whose text it may hold.
func (s Spec) badSchema(err error) *reason.Error {
	return s.failed(reason.Misconfigured, "the plugin's schema of its settings is not usable: %w", err)
}

func validate(s Spec, document, settings any) error {
	// Absolute: a relative one would need the working directory, which may be gone.
	const url = "querent:///settings.json"
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(noLoader{})
	compiler.AssertFormat()
	if err := compiler.AddResource(url, document); err != nil {
		return s.badSchema(err)
	}
	schema, err := compiler.Compile(url)
	if err != nil {
		return s.badSchema(err)
	}
	err = schema.Validate(settings)
	var invalid *jsonschema.ValidationError
	if errors.As(err, &invalid) {
		return s.misconfigured(strings.Join(problems(invalid), "; "))
	}
	if err != nil {
		return s.badSchema(err)
	}
	return nil
}

// noLoader keeps a plugin's schema from making the host read files or servers.
type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("the schema refers to %s, and only itself may be referred to", url)
}

// fileFormat marks a setting that names files.
const fileFormat = "querent-file"

// readFiles reads the files that settings name, by setting.
func readFiles(s Spec, schema, settings any) (map[string][]sdk.File, error) {
	files := map[string][]sdk.File{}
	for _, setting := range fileSettings(schema, settings, "") {
		for _, name := range setting.names {
			if s.ReadFile == nil {
				return nil, s.misconfigured(fmt.Sprintf("config.%s names the file %s, but no files can be read here", setting.path, name))
			}
			content, err := s.ReadFile(name)
			if err != nil {
				return nil, s.misconfigured(fmt.Sprintf("config.%s: the file %s cannot be read: %v", setting.path, name, pathCause(err)))
			}
			files[setting.path] = append(files[setting.path], sdk.File{Name: name, Content: content})
		}
	}
	return files, nil
}

type fileSetting struct {
	path  string // dotted
	names []string
}

// fileSettings finds the settings that name files. It follows the schema's
// properties as far as they stand in the schema itself.
func fileSettings(schema, settings any, prefix string) []fileSetting {
	object, _ := settings.(map[string]any)
	properties, _ := field(schema, "properties").(map[string]any)
	var found []fileSetting
	for _, name := range sortedKeys(properties) {
		value, ok := object[name]
		if !ok {
			continue
		}
		property := properties[name]
		switch {
		case field(property, "format") == fileFormat:
			found = append(found, fileSetting{prefix + name, texts(value)})
		case field(field(property, "items"), "format") == fileFormat:
			found = append(found, fileSetting{prefix + name, texts(value)})
		default:
			found = append(found, fileSettings(property, value, prefix+name+".")...)
		}
	}
	return found
}

func field(object any, name string) any {
	m, _ := object.(map[string]any)
	return m[name]
}

// texts are the strings of a string or of an array of strings.
func texts(value any) []string {
	switch v := value.(type) {
	case string:
		return []string{v}
	case []any:
		var out []string
		for _, element := range v {
			out = append(out, texts(element)...)
		}
		return out
	}
	return nil
}
