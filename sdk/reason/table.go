package reason

// The codes.
const (
	InvalidState          Code = "INVALID_STATE"
	PlanningFailure       Code = "PLANNING_FAILURE"
	PlanInvalid           Code = "PLAN_INVALID"
	PolicyDenied          Code = "POLICY_DENIED"
	CallerAuthRequired    Code = "CALLER_AUTH_REQUIRED"
	UnmappedCode          Code = "UNMAPPED"
	Ambiguous             Code = "AMBIGUOUS"
	NotUnderstood         Code = "NOT_UNDERSTOOD"
	CostLimit             Code = "COST_LIMIT"
	BudgetExceeded        Code = "BUDGET_EXCEEDED"
	DatasourceUnreachable Code = "DATASOURCE_UNREACHABLE"
	DatasourceAuthFailed  Code = "DATASOURCE_AUTH_FAILED"
	SchemaChanged         Code = "SCHEMA_CHANGED"
	QueryTimeout          Code = "QUERY_TIMEOUT"
	ExecutionFailed       Code = "EXECUTION_FAILED"
	AggregatorFailed      Code = "AGGREGATOR_FAILED"
	RunTimeout            Code = "RUN_TIMEOUT"
	CancelledCode         Code = "CANCELLED"
	Internal              Code = "INTERNAL"
)

// The reasons that are no kind of provider error.
const (
	ReasonInvalidState          Reason = "invalid_state"
	ReasonPlanningFailed        Reason = "planning_failed"
	ReasonPlanInvalid           Reason = "plan_invalid"
	ReasonNotPermitted          Reason = "not_permitted"
	ReasonAuthContextRequired   Reason = "auth_context_required"
	ReasonNoDatasource          Reason = "no_datasource"
	ReasonUnsupportedDatasource Reason = "unsupported_datasource"
	ReasonRestrictedDatasource  Reason = "restricted_datasource"
	ReasonNeedsClarification    Reason = "needs_clarification"
	ReasonWordsNotUnderstood    Reason = "words_not_understood"
	ReasonTooExpensive          Reason = "too_expensive"
	ReasonBudgetExceeded        Reason = "budget_exceeded"
	ReasonUnavailable           Reason = "unavailable"
	ReasonAuthFailed            Reason = "auth_failed"
	ReasonSchemaChanged         Reason = "schema_changed"
	ReasonTimeout               Reason = "timeout"
	ReasonExecutionFailed       Reason = "execution_failed"
	ReasonAggregatorFailed      Reason = "aggregator_failed"
	ReasonCancelled             Reason = "cancelled"
	ReasonInternal              Reason = "internal"
)

// Warning is the code of a note that does not end a run.
type Warning string

// The warnings, a closed set.
const (
	ValueNotFound     Warning = "VALUE_NOT_FOUND"
	JoinFanOut        Warning = "JOIN_FAN_OUT"
	AllNullColumn     Warning = "ALL_NULL_COLUMN"
	ResultTruncated   Warning = "RESULT_TRUNCATED"
	PartialResult     Warning = "PARTIAL_RESULT"
	UnmappedPart      Warning = "UNMAPPED"
	SynthesisFallback Warning = "SYNTHESIS_FALLBACK"
	SettingIgnored    Warning = "SETTING_IGNORED"
	GroupsLeftOut     Warning = "GROUPS_LEFT_OUT"
)

// Warnings lists every warning.
func Warnings() []Warning {
	return []Warning{ValueNotFound, JoinFanOut, AllNullColumn, ResultTruncated, PartialResult, UnmappedPart, SynthesisFallback, SettingIgnored, GroupsLeftOut}
}

// The exit codes of the command line.
const (
	ExitAnswered      = 0
	ExitInternal      = 1
	ExitUsage         = 2
	ExitRefused       = 3
	ExitCannotAnswer  = 4
	ExitProvider      = 5
	ExitDatasource    = 6
	ExitStrictWarning = 7
	ExitCancelled     = 130
)

// Wording says who may word the explanation of a failure.
type Wording string

// Who words: templates alone, or a model with templates behind it.
const (
	WordedByTemplate Wording = "template"
	ModelAllowed     Wording = "model allowed"
)

// Row is a line of the table.
type Row struct {
	Code        Code
	Reason      Reason
	Stage       Stage
	Retryable   bool
	Exit        int
	Wording     Wording
	SafeMessage string // what may always be shown
	NextAction  string // what the asker or the operator can do
}

var rows = append([]Row{
	{InvalidState, ReasonInvalidState, StageState, false, ExitInternal, WordedByTemplate,
		"The run reached a step without the result that the step needs.", "Report this with the trace id; it is a fault of the program."},
	{PlanningFailure, ReasonPlanningFailed, StagePlan, true, ExitCannotAnswer, ModelAllowed,
		"No usable plan could be made for the question.", "Ask in other words, or name the table and the columns that you mean."},
	{PlanInvalid, ReasonPlanInvalid, StageValidate, true, ExitCannotAnswer, ModelAllowed,
		"The proposed plan does not fit the schema.", "Ask in other words, or name the table and the columns that you mean."},
	{PolicyDenied, ReasonNotPermitted, StageAccess, false, ExitRefused, WordedByTemplate,
		"Your role does not permit what the question needs.", "Ask for data that your role may read, or ask an administrator for the right."},
	{CallerAuthRequired, ReasonAuthContextRequired, StageAccess, false, ExitRefused, WordedByTemplate,
		"It is not known who asks, and nobody unknown may ask here.", "Give the caller a role under callers in the configuration, or sign in."},
	{UnmappedCode, ReasonNoDatasource, StageResolve, false, ExitCannotAnswer, ModelAllowed,
		"No datasource holds what the question asks for.", "Ask about data that the datasources hold."},
	{UnmappedCode, ReasonUnsupportedDatasource, StageResolve, false, ExitCannotAnswer, ModelAllowed,
		"The datasource cannot answer this kind of question.", "Ask another kind of question."},
	{UnmappedCode, ReasonRestrictedDatasource, StageResolve, false, ExitRefused, WordedByTemplate,
		"Your role may not use the datasources that could answer.", "Ask an administrator for the right."},
	{Ambiguous, ReasonNeedsClarification, StagePlan, false, ExitCannotAnswer, WordedByTemplate,
		"It is left open what exactly is wanted.", "Ask again with one of the choices."},
	{NotUnderstood, ReasonWordsNotUnderstood, StagePlan, false, ExitCannotAnswer, WordedByTemplate,
		"Some words, or what they ask for together, are not understood.", "Ask one of the proposed questions, or use the names of tables and columns."},
	{CostLimit, ReasonTooExpensive, StageValidate, true, ExitCannotAnswer, ModelAllowed,
		"Answering would read more data than is allowed.", "Narrow the question, for example to a shorter period."},
	{BudgetExceeded, ReasonBudgetExceeded, StageProvider, false, ExitCannotAnswer, WordedByTemplate,
		"The question would use more of its models than a run may.", "Ask a simpler question, or raise settings.run.budget."},
	{DatasourceUnreachable, ReasonUnavailable, StageExecute, true, ExitDatasource, WordedByTemplate,
		"The database cannot be reached.", "Check that the database is there and running, then ask again."},
	{DatasourceAuthFailed, ReasonAuthFailed, StageExecute, false, ExitDatasource, WordedByTemplate,
		"The database refused the account that the host uses.", "Correct the datasource's account in the configuration."},
	{SchemaChanged, ReasonSchemaChanged, StageExecute, true, ExitDatasource, WordedByTemplate,
		"The database does not have the structure that the question was planned for.", "Ask again; the new schema is read on the next question."},
	{QueryTimeout, ReasonTimeout, StageExecute, false, ExitDatasource, WordedByTemplate,
		"The query did not finish within its time limit.", "Narrow the question, or raise the datasource's statement_timeout."},
	{ExecutionFailed, ReasonExecutionFailed, StageExecute, true, ExitDatasource, ModelAllowed,
		"The database could not run the query.", "Ask in other words; the log holds the details under the trace id."},
	{AggregatorFailed, ReasonAggregatorFailed, StageAggregate, false, ExitInternal, WordedByTemplate,
		"The partial results could not be combined.", "Ask for the parts one by one."},
	{RunTimeout, ReasonTimeout, StageRun, false, ExitInternal, WordedByTemplate,
		"The run did not finish within its time limit.", "Ask a narrower question, or raise settings.run.timeout."},
	{CancelledCode, ReasonCancelled, StageRun, false, ExitCancelled, WordedByTemplate,
		"The run was cancelled.", "Ask again when you are ready."},
	{Internal, ReasonInternal, StageRun, false, ExitInternal, WordedByTemplate,
		"Something went wrong inside the program.", "Report this with the trace id; it is a fault of the program."},
}, providerRows()...)

// Rows is a copy of the whole table, in its documented order.
func Rows() []Row { return append([]Row(nil), rows...) }

// Lookup finds the row of a code and a reason.
func Lookup(code Code, why Reason) (Row, bool) {
	for _, r := range rows {
		if r.Code == code && r.Reason == why {
			return r, true
		}
	}
	return Row{}, false
}

// ExitCode is the exit code of err: the table's for an Error, ExitInternal for
// any other, ExitAnswered for nil.
func ExitCode(err error) int {
	if err == nil {
		return ExitAnswered
	}
	e := From(err)
	if row, ok := Lookup(e.Code, e.Reason); ok {
		return row.Exit
	}
	return ExitInternal
}
