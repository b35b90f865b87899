package planner

import "strings"

// The fixed words of the grammar. What a question says beyond them must be a
// name or a value of the data.
var (
	askers = phrases("please", "can you", "could you", "tell me", "what is", "what 's", "what are", "which are", "show me", "show",
		"give me", "give", "list", "display", "get", "find", "return", "calculate", "compute", "i want", "i want to know", "i want to see")
	listers   = phrases("list", "show me", "show", "give me", "give", "display", "get", "find", "return", "what are", "what is", "which are", "tell me", "print")
	articles  = phrases("the", "a", "an", "all", "all the", "all of the", "our", "of", "of the", "of all", "of our", "of all the", "me")
	tails     = phrases("are there in total", "do we have in total", "do we have", "do you have", "have we got", "are there", "is there", "there are", "exist", "exists", "are registered", "in total", "in the database")
	distincts = phrases("different", "distinct", "unique")
	counters  = phrases("how many", "count", "count of", "number of", "total number of", "count the number of")
	countNoun = phrases("count")
	groupers  = phrases("by", "per", "for each", "in each", "of each", "at each", "for every", "in every", "grouped by", "group by",
		"broken down by", "split by", "by each")
	ands   = phrases("and")
	owners = phrases("of", "of all", "of the", "of all the", "of our", "in", "in the", "for", "for all", "for the", "from", "across", "across all", "over all")
	// eachOwners say "of" in a list. In front of what is measured they would ask
	// for a figure per row.
	eachOwners = phrases("of each", "of every", "for each", "for every")
	tops       = phrases("top", "bottom")
	sorters    = phrases("sorted by", "ordered by", "sort by", "order by", "in order of")
	byWord     = phrases("by")
	withMost   = phrases("with the highest", "with the largest", "with the greatest", "with the most")
	withLeast  = phrases("with the lowest", "with the smallest")
	conditions = phrases("where", "where the", "with", "with the", "with a", "whose", "having", "in", "in the", "from", "from the", "of", "for", "at", "and", "and the")
	placers    = phrases("in", "in the", "from", "from the", "of", "for", "at", "with")
	equals     = phrases("is", "are", "=", "equals", "equal to", "is equal to", "of", "called", "named")
	timers     = phrases("in", "during", "for", "from", "of", "in the", "during the", "for the", "on")
	directions = map[string]bool{
		"descending": true, "desc": true, "in descending order": true, "from highest to lowest": true, "highest first": true, "largest first": true,
		"ascending": false, "asc": false, "in ascending order": false, "from lowest to highest": false, "lowest first": false, "smallest first": false,
		"alphabetically": false,
	}
	comparisons = map[string]string{
		"greater than": ">", "more than": ">", "over": ">", "above": ">", ">": ">", "is greater than": ">", "is more than": ">", "is over": ">", "is above": ">",
		"at least": ">=", ">=": ">=", "is at least": ">=",
		"less than": "<", "under": "<", "below": "<", "<": "<", "is less than": "<", "is under": "<", "is below": "<",
		"at most": "<=", "<=": "<=", "is at most": "<=",
	}
	functions = map[string]string{
		"average": "avg", "mean": "avg", "avg": "avg", "average of": "avg",
		"total": "sum", "sum of": "sum", "sum": "sum", "total of": "sum",
		"minimum": "min", "min": "min", "smallest": "min", "lowest": "min",
		"maximum": "max", "max": "max", "largest": "max", "highest": "max", "greatest": "max", "biggest": "max",
		"earliest": "first", "latest": "last",
	}
	units = map[string]string{"year": "year", "quarter": "quarter", "month": "month", "week": "week", "day": "day"}
	// relative are the periods that the host's clock resolves.
	relative = map[string]string{
		"today": "today()", "yesterday": "yesterday()",
		"this week": "this_week()", "this month": "this_month()", "this quarter": "this_quarter()", "this year": "this_year()",
		"current month": "this_month()", "current year": "this_year()",
		"last week": "last_weeks(1)", "last month": "last_months(1)", "last quarter": "last_quarters(1)", "last year": "last_years(1)",
		"previous month": "last_months(1)", "previous year": "last_years(1)",
	}
	months = []string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}
)

// phrase is a sequence of fixed words.
type phrase []string

func phrases(list ...string) []phrase {
	out := make([]phrase, len(list))
	for i, text := range list {
		out[i] = strings.Fields(text)
	}
	return out
}

// vocabulary is every fixed word.
var vocabulary = collectVocabulary()

func collectVocabulary() map[string]bool {
	all := map[string]bool{"last": true, "past": true, "most": true, "q1": true, "q2": true, "q3": true, "q4": true}
	for _, group := range [][]phrase{askers, listers, articles, tails, distincts, counters, groupers, ands, owners, eachOwners, tops, sorters,
		withMost, withLeast, conditions, placers, equals, timers, koreanTails} {
		for _, p := range group {
			for _, w := range p {
				all[w] = true
			}
		}
	}
	for _, m := range []map[string]string{comparisons, functions, units, relative} {
		for text := range m {
			for _, w := range strings.Fields(text) {
				all[w] = true
			}
		}
	}
	for text := range directions {
		for _, w := range strings.Fields(text) {
			all[w] = true
		}
	}
	for _, m := range months {
		all[m] = true
	}
	return all
}
