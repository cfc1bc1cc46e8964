// Godot Variants as a Go server writes them, from the published page. Tokens in (see make.py), one "rule major name hex" a line out.
package main

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"
)

var rules = []string{
	"none", "wide", "big-endian", "rune-count", "bytes-unpadded", "varint-ints", "map-count-doubled", "aligned-to-8",
	"keys-without-header", "int-always-8", "slice-size-for-count", "header-halves-swapped",
}

var ids = map[string]map[string]uint32{
	"3": {"nil": 0, "bool": 1, "int": 2, "float": 3, "str": 4, "vec2": 5, "rect2": 6, "vec3": 7, "color": 14, "dict": 18, "array": 19,
		"bytes": 20, "ints": 21, "floats": 22, "strs": 23, "vec2s": 24, "vec3s": 25, "colors": 26},
	"4": {"nil": 0, "bool": 1, "int": 2, "float": 3, "str": 4, "vec2": 5, "vec2i": 6, "rect2": 7, "vec3": 9, "vec3i": 10, "color": 20,
		"dict": 27, "array": 28, "bytes": 29, "ints": 30, "floats": 32, "strs": 34, "vec2s": 35, "vec3s": 36, "colors": 37},
}

type encoder struct {
	bytes.Buffer
	rule, major string
	order       binary.ByteOrder
	lines       []string
}

func (e *encoder) put(v interface{}) { binary.Write(e, e.order, v) }

func (e *encoder) header(kind string, wide bool) {
	id := ids[e.major][kind]
	if wide {
		id |= 1 << 16
	}
	if e.rule == "header-halves-swapped" {
		id = id<<16 | id>>16
	}
	e.put(id)
	if wide && e.rule == "aligned-to-8" {
		e.put(uint32(0)) // what the compiler puts into struct{uint32; float64}
	}
}


func (e *encoder) text(s string) {
	n := len(s)
	if e.rule == "rune-count" {
		n = utf8.RuneCountInString(s)
	}
	e.put(uint32(n))
	e.WriteString(s)
	e.Write(make([]byte, (4-len(s)%4)%4))
}

func (e *encoder) integer(s string) {
	n, _ := strconv.ParseInt(s, 10, 64)
	if e.rule == "varint-ints" {
		e.header("int", false)
		b := make([]byte, binary.MaxVarintLen64)
		e.Write(b[:binary.PutVarint(b, n)])
	} else if e.rule == "int-always-8" {
		e.header("int", false)
		e.put(n)
	} else if e.rule == "wide" || n != int64(int32(n)) {
		e.header("int", true)
		e.put(n)
	} else {
		e.header("int", false)
		e.put(int32(n))
	}
}

func (e *encoder) next() string {
	line := e.lines[0]
	e.lines = e.lines[1:]
	return line
}

func (e *encoder) count(kind string, n, size int) {
	e.header(kind, false)
	if e.rule == "slice-size-for-count" {
		n *= size
	}
	e.put(uint32(n))
}

func (e *encoder) value(key bool) {
	kind, rest, _ := strings.Cut(e.next(), " ")
	words := strings.Fields(rest)
	count, _ := strconv.Atoi(rest)
	reals := func() {
		for _, word := range words {
			x, _ := strconv.ParseFloat(word, 64)
			e.put(float32(x))
		}
	}
	whole := func() {
		for _, word := range words {
			n, _ := strconv.ParseInt(word, 10, 32)
			e.put(int32(n))
		}
	}
	switch kind {
	case "nil", "nostr":
		e.header("nil", false)
	case "bool":
		e.header(kind, false)
		e.put(uint32(count))
	case "int":
		e.integer(rest)
	case "float":
		x, _ := strconv.ParseFloat(rest, 64)
		e.header(kind, true)
		e.put(math.Float64bits(x))
	case "str":
		if !key || e.rule != "keys-without-header" {
			e.header(kind, false)
		}
		e.text(rest)
	case "vec2", "vec3", "rect2", "color":
		e.header(kind, false)
		reals()
	case "vec2i", "vec3i":
		e.header(kind, false)
		whole()
	case "dict":
		e.header(kind, false)
		if e.rule == "map-count-doubled" {
			e.put(uint32(2 * count))
		} else {
			e.put(uint32(count))
		}
		for i := 0; i < count; i++ {
			e.value(true)
			e.value(false)
		}
	case "array":
		e.header(kind, false)
		e.put(uint32(count))
		for i := 0; i < count; i++ {
			e.value(false)
		}
	case "bytes":
		raw, _ := hex.DecodeString(rest)
		e.count(kind, len(raw), 1)
		e.Write(raw)
		if e.rule != "bytes-unpadded" {
			e.Write(make([]byte, (4-len(raw)%4)%4))
		}
	case "strs":
		e.count(kind, count, 1)
		for i := 0; i < count; i++ {
			e.text(strings.TrimPrefix(e.next(), "str ") + "\x00")
		}
	case "ints":
		e.count(kind, len(words), 4)
		whole()
	case "floats":
		e.count(kind, len(words), 4)
		reals()
	case "vec2s", "vec3s", "colors":
		each := map[string]int{"vec2s": 2, "vec3s": 3, "colors": 4}[kind]
		e.count(kind, len(words)/each, 4*each)
		reals()
	default:
		panic(kind)
	}
}

func main() {
	in, _ := io.ReadAll(os.Stdin)
	for _, rule := range rules {
		for _, payload := range strings.Split("\n"+strings.TrimSpace(string(in)), "\npayload ")[1:] {
			lines := strings.Split(payload, "\n")
			title := strings.Fields(lines[0])
			e := encoder{rule: rule, major: title[0], order: binary.LittleEndian, lines: lines[1:]}
			if rule == "big-endian" {
				e.order = binary.BigEndian
			}
			e.value(false)
			prefix := make([]byte, 4)
			e.order.PutUint32(prefix, uint32(e.Len()))
			fmt.Println(rule, title[0], title[1], hex.EncodeToString(append(prefix, e.Bytes()...)))
		}
	}
}
