package wire

// CatalogView is the part of a catalog that a caller may see. Policy made it:
// nothing that the caller may not read is in it, not even by name.
type CatalogView struct {
	Datasource  string      `json:"datasource"`
	Dialect     string      `json:"dialect"`
	Description string      `json:"description,omitempty"`
	Tables      []TableView `json:"tables"`
}

// TableView is a permitted table or view.
type TableView struct {
	// Name is the name a plan uses: the table's own, or schema.table where the
	// datasource has several schemas.
	Name        string       `json:"name"`
	Description string       `json:"description,omitempty"`
	Synonyms    []string     `json:"synonyms,omitempty"`
	Columns     []ColumnView `json:"columns"`
	PrimaryKey  []string     `json:"primary_key,omitempty"`
	ForeignKeys []KeyView    `json:"foreign_keys,omitempty"`
}

// ColumnView is a permitted column.
type ColumnView struct {
	Name        string   `json:"name"`
	Type        Type     `json:"type"`
	Nullable    bool     `json:"nullable,omitempty"`
	Description string   `json:"description,omitempty"`
	Synonyms    []string `json:"synonyms,omitempty"`
	Tags        []string `json:"tags,omitempty"`
}

// KeyView is a foreign key between permitted columns of permitted tables.
type KeyView struct {
	Columns    []string `json:"columns"`
	Table      string   `json:"table"` // as in TableView.Name
	RefColumns []string `json:"ref_columns"`
}

// ValueHit says that a word of the question occurs as a value of a column.
type ValueHit struct {
	Word   string `json:"word"`
	Table  string `json:"table"`
	Column string `json:"column"`
	Value  string `json:"value"`
}
