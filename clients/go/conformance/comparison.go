package main

import (
	"fmt"
	"reflect"

	"google.golang.org/protobuf/proto"
)

// Of a long value, only the beginning is shown.
const longest = 200

// A comparison holds what was compared, and where the service and the vectors differ.
type comparison struct {
	checks        int
	disagreements []string
}

// same compares two values. The format and its arguments say what they are.
func (c *comparison) same(got, wanted any, format string, arguments ...any) bool {
	c.checks++
	if equal(got, wanted) {
		return true
	}
	c.disagreements = append(c.disagreements, fmt.Sprintf(format, arguments...)+": "+difference(got, wanted))
	return false
}

// equal compares messages field by field, those included that this program does not know. Lists are equal also if one
// of them is nil and the other empty.
func equal(got, wanted any) bool {
	if message, ok := got.(proto.Message); ok {
		other, ok := wanted.(proto.Message)
		return ok && proto.Equal(message, other)
	}
	a, b := reflect.ValueOf(got), reflect.ValueOf(wanted)
	if a.Kind() == reflect.Slice && b.Kind() == reflect.Slice && a.Len() == 0 && b.Len() == 0 {
		return true
	}
	return reflect.DeepEqual(got, wanted)
}

// difference says how two values differ: of lists of texts, where they begin to.
func difference(got, wanted any) string {
	texts, ok := got.([]string)
	others, both := wanted.([]string)
	if !ok || !both {
		return shown(got) + ", not " + shown(wanted)
	}
	at := 0
	for at < len(texts) && at < len(others) && texts[at] == others[at] {
		at++
	}
	element := func(list []string) string {
		if at < len(list) {
			return shown(list[at])
		}
		return "the end"
	}
	return fmt.Sprintf(
		"at index %d %s, not %s (%d texts, not %d)", at, element(texts), element(others), len(texts), len(others),
	)
}

func shown(value any) string {
	text := fmt.Sprintf("%+v", value)
	if _, ok := value.(string); ok {
		text = fmt.Sprintf("%q", value)
	}
	if len(text) > longest {
		return fmt.Sprintf("%s... (%d bytes)", text[:longest], len(text))
	}
	return text
}
