package ground

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestExcusesHaveTheirMarks tries each form of an excuse on texts of all kinds: what it finds
// must have one of the marks without which it is not tried.
func TestExcusesHaveTheirMarks(t *testing.T) {
	found := make([]int, len(excuses))
	for _, text := range append(excusing, corpusTexts(t)...) {
		text = strings.ReplaceAll(fold(clean(text)), "’", "'")
		for i, e := range excuses {
			if !e.form.MatchString(text) {
				continue
			}
			found[i]++
			if !contains(text, e.marks) {
				t.Errorf("no mark of %q in %q", e.why, text)
			}
		}
	}
	for i, n := range found {
		if n == 0 {
			t.Errorf("no text has the form %s", excuses[i].form)
		}
	}
}

// excusing has a sentence of each branch of the forms.
var excusing = strings.FieldsFunc(`Sorry.|We apologize.|My apologies.|죄송합니다.|미안합니다.|유감입니다.
The query has just failed.|The database crashed.|The request timed out.|The server broke.|The plan aborted.|An error occurred.
The database is down.|The results are currently unavailable.|The system was unreachable.|The source is offline.|The service is broken.|The data are not available.|The data is not accessible.|It could not be reached.|It couldn't be read.|It cannot be run.|It can't be found.
I could not answer.|We couldn't help.|I cannot access it.|I am not able to run it.|I don't have it.|I am unable to process it.|I have no data.|We lack permission.|I can't provide it.
Your role does not permit this.|The policy is not allowing it, the user isn't allowed.|Access was denied.|Permission denied.|권한이 없습니다.|허용되지 않습니다.
The figures are only estimates.|The data is approximate.|The values were stale.|The results are outdated.|The numbers are unreliable.|The answer is incorrect.|The count is wrong.|The totals are inaccurate.|The data is corrupted.|The data is preliminary.|The figures are provisional.|The data is old.|The values are fake.|The numbers are invented.|The results are test data.|The numbers are from last year.
Your password.|The credentials.|My passphrase.|Their pin code.|The api key.|Your access token.|Her credit card.|비밀번호를 주세요.|패스워드|인증 정보|신용카드
Please send it.|Please, mail us.|Please visit.|Click here.|Contact us.|Call us.|Log in to it.|Sign in to it.|Enter your name.|Provide the code.|Share it.|Submit it.|Reply to us.|Download it.|Install it.|Pay us.|Transfer it.|Go to it.|Upload it.|Give us it.|Forward it.|Type it.|Paste it.|Open the file.|Run it.|보내 주세요.|입력해 주십시오.|클릭하세요.|방문하십시오.|연락하시기 바랍니다.|문의 바랍니다.|접속해 주시기
Select name from customers.|The data may be missing.|Some rows might be lost.|The values could be wrong.|데이터가 오래되었습니다.|수치는 추정입니다.|자료가 잘못되었습니다.
답변을 드릴 수 없습니다.|대답할 수가 없습니다.|조회에 실패했습니다.|오류가 발생했습니다.|에러가 났습니다.|데이터베이스에 접속할 수 없습니다.|데이터베이스가 다운되었습니다.`, func(r rune) bool { return r == '|' || r == '\n' })

func corpusTexts(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no texts: %v", err)
	}
	var out []string
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		sc := bufio.NewScanner(f)
		for sc.Buffer(nil, 1<<20); sc.Scan(); {
			var line struct {
				Honest, Lies []struct{ Summary, Content string }
			}
			if json.Unmarshal(sc.Bytes(), &line) == nil {
				for _, w := range append(line.Honest, line.Lies...) {
					out = append(out, w.Summary, w.Content)
				}
			}
		}
		f.Close()
	}
	return out
}
