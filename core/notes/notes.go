// Package notes words the host's notes on an answer in the answer's language:
// Korean, or English for any other. Each note has a code that programs switch on;
// its words are for people.
package notes

import (
	"fmt"

	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"querent.dev/querent/sdk/reason"
	"querent.dev/querent/sdk/wire"
)

// words are the sentences of a language.
type words struct {
	tag        language.Tag // how numbers are written
	cutRows    string       // of the number of rows
	cutBytes   string
	unmapped   string // of a part of the question and a reason
	unanswered string // of a part of the question and why
	fallback   string // of why
	unworded   string
	untraced   string // why a text is not shown that says of the result what is not so
	ignored    string // of a provider and a setting
	groups     string // of the number of rows that a group needs
	leftOut    string
	notSpoken  string // of two languages
	// cause is a reason in words of the language; nil: the error's own, which are English.
	cause func(cause) string
}

// Untraced is why a model's text about a result is not shown, in English.
const Untraced = "A figure or a name in its wording could not be traced to the result."

var (
	english = words{
		tag: language.English,
		cutRows: "The result was cut at %d rows, the row limit, so it is incomplete. " +
			"Narrow the question, for example to a shorter period or to one group, to see all of it.",
		cutBytes: "The result was cut at %d rows, the byte limit, so it is incomplete. " +
			"Narrow the question, for example to a shorter period or to one group, to see all of it.",
		unmapped:   "Not answered: %q (%s).",
		unanswered: "The part %q was not answered: %s",
		fallback:   "The answer was not worded by the configured provider: %s",
		unworded:   "The answer could not be worded: %s",
		untraced:   Untraced,
		ignored:    "The provider %s does not honour the setting %s.",
		groups:     "Groups of fewer than %d rows with a value are left out, as the access rules of a column ask.",
		leftOut:    "A datasource could not be reached and was left out when the one to ask was chosen.",
		notSpoken:  "There is no template pack for the language %s: the answer is in the language %s.",
	}
	korean = words{
		tag: language.Korean,
		cutRows: "결과가 행 제한인 %d행에서 잘려 완전하지 않습니다. " +
			"모두 보려면 기간을 줄이거나 한 그룹만 묻는 등 질문의 범위를 좁혀 주세요.",
		cutBytes: "결과가 바이트 제한에 걸려 %d행에서 잘려 완전하지 않습니다. " +
			"모두 보려면 기간을 줄이거나 한 그룹만 묻는 등 질문의 범위를 좁혀 주세요.",
		unmapped:   "%q 부분에는 답하지 못했습니다. 이유: %s",
		unanswered: "%q 부분에는 답하지 못했습니다. 이유: %s",
		fallback:   "설정된 제공자가 답을 작성하지 못했습니다. 이유: %s",
		unworded:   "답을 작성하지 못했습니다. 이유: %s",
		untraced:   "작성된 답에 결과에서 확인할 수 없는 수치나 이름이 있습니다.",
		ignored:    "제공자 %s에서는 %s 설정이 적용되지 않습니다.",
		groups:     "열의 접근 규칙에 따라, 값이 있는 행이 %d개보다 적은 그룹은 제외했습니다.",
		notSpoken:  "언어 %s용 템플릿 팩이 없어 언어 %s로 답합니다.",
		leftOut:    "연결할 수 없는 데이터 소스가 있어, 물을 곳을 고를 때 제외했습니다.",
		cause:      koreanCause,
	}
)

func wordsFor(tag string) words {
	if base, _ := language.Make(tag).Base(); base.String() == "ko" {
		return korean
	}
	return english
}

// why is an error's cause in words of the language.
func (w words) why(err *reason.Error) string {
	if w.cause == nil {
		return err.SafeMessage
	}
	return w.cause(cause{err.Code, err.Reason})
}

// ResultCut says at which limit a truncated result was cut.
func ResultCut(tag string, p wire.Preview) string {
	w := wordsFor(tag)
	text, rows := w.cutRows, p.RowCap
	if rows == 0 {
		text, rows = w.cutBytes, p.RowCount
	}
	return message.NewPrinter(w.tag).Sprintf(text, rows)
}

// Unmapped says which part of the question was not answered.
func Unmapped(tag string, u wire.Unmapped) wire.Note {
	w, why := wordsFor(tag), string(u.Reason)
	if w.cause != nil {
		why = w.cause(cause{reason: u.Reason})
	}
	return wire.Note{Code: reason.UnmappedPart, Message: fmt.Sprintf(w.unmapped, u.Part, why)}
}

// Unanswered says which part of the question was not answered, for what failure.
func Unanswered(tag, part string, err *reason.Error) wire.Note {
	w := wordsFor(tag)
	return wire.Note{Code: reason.PartialResult, Message: fmt.Sprintf(w.unanswered, part, w.why(err))}
}

// Fallback says that another than the configured synthesizer wrote the answer.
func Fallback(tag string, err *reason.Error) wire.Note {
	w := wordsFor(tag)
	return wire.Note{Code: reason.SynthesisFallback, Message: fmt.Sprintf(w.fallback, w.why(err))}
}

// FallbackUntraced says that the configured synthesizer's answer was replaced, since
// not all that it says of the result is there.
func FallbackUntraced(tag string) wire.Note {
	w := wordsFor(tag)
	return wire.Note{Code: reason.SynthesisFallback, Message: fmt.Sprintf(w.fallback, w.untraced)}
}

// Unworded says that nobody could word the answer.
func Unworded(tag string, err *reason.Error) wire.Note {
	w := wordsFor(tag)
	return wire.Note{Code: reason.SynthesisFallback, Message: fmt.Sprintf(w.unworded, w.why(err))}
}

// SettingIgnored says that a provider does not do as a setting of its agent says.
func SettingIgnored(tag, provider, setting string) wire.Note {
	return wire.Note{Code: reason.SettingIgnored, Message: fmt.Sprintf(wordsFor(tag).ignored, provider, setting)}
}

// GroupsLeftOut says that groups of fewer than least rows are not shown.
func GroupsLeftOut(tag string, least int) wire.Note {
	return wire.Note{Code: reason.GroupsLeftOut, Message: fmt.Sprintf(wordsFor(tag).groups, least)}
}

// DatasourceLeftOut says that not all datasources were looked at. It names none:
// whether the caller may know of them is not known.
func DatasourceLeftOut(tag string) wire.Note {
	return wire.Note{Code: reason.PartialResult, Message: wordsFor(tag).leftOut}
}

// NotSpoken says that an answer is in another language than was asked for.
func NotSpoken(asked, spoken string) wire.Note {
	return wire.Note{
		Code: reason.SettingIgnored, Message: fmt.Sprintf(wordsFor(spoken).notSpoken, asked, spoken),
		Detail: map[string]string{"setting": "language", "language": asked, "spoken": spoken},
	}
}

// English reports whether a language is English, or none is said.
func English(tag string) bool {
	base, _ := language.Make(tag).Base()
	return tag == "" || base.String() == "en"
}
