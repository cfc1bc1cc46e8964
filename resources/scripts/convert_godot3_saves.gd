extends RefCounted
## Makes saves of Godot 3 such that Godot 4 reads them, on the player's machine. Written by Variant Viewer.
##
##     var saves = preload("res://convert_godot3_saves.gd").new()
##     var fault: String = saves.convert_file("user://save.dat", "user://save.dat", "the password")
##     if fault: push_error(fault)
##
## It reads what store_var() of Godot 3 wrote, one value or many, plain, compressed (open_compressed) or encrypted
## (open_encrypted, open_encrypted_with_pass), and writes the same values, in the same wrap, as get_var() of Godot 4
## reads them. Values that var2bytes() made and that stand alone in a file are done, too. A text (JSON, ConfigFile) stays
## as it is, and is encrypted as Godot 4 does it. What is written is read again by the engine before it takes the place
## of anything; a file that was there is kept as NAME.bak, NAME.bak2 and so on.
##
## What it does not do, each with a sentence that says so, and with nothing written:
## - files with fields of their own among the values (store_32, store_line ...): call convert_value() for the values;
## - objects: their classes and scripts are those of the old game. What was stored as null or as an id is fine;
## - files of Godot 2, of Pandemonium, or with the bytes of lengths in the other order (endian_swap);
## - binary resources (.res): the editor of Godot 4 imports them;
## - values inside byte arrays and texts of a save: these stay as they are, bytes of Godot 3.
## A number that was a RID is 0 afterwards, and the id of an object means nothing: both were so in Godot 3, too.
## Convert a file once. A small value of Godot 4 (a number, a text) looks like one of Godot 3; dictionaries do not.

enum Wrap { PLAIN, COMPRESSED, ENCRYPTED }
enum Kind { FIXED, NUMBER, TEXT, PATH, RID_NUMBER, OBJECT, PAIRS, LIST, PACKED, TEXTS }

## For each type number of Godot 3: that of Godot 4, what it is, and bytes of the value or of one element.
const TYPES = [
{TYPES}
]
const OBJECT_ID = 1 << 16 # or a number of 64 bits
const OLD_HEAD = 32 # bytes before what Godot 3 encrypted
const KEY_SIZE = 32

var _bytes: PackedByteArray
var _at := 0
var _end := 0
var _fault := ""
var _missing: Array[int] = [] # where the ids of RIDs go, which Godot 3 does not write


## Converts a file; empty when it is done, else one sentence that says why nothing was written.
## What was encrypted takes the password, or the key of 32 bytes.
func convert_file(from: String, to: String, password := "", key := PackedByteArray()) -> String:
	var outside := FileAccess.get_file_as_bytes(from)
	if FileAccess.get_open_error() != OK:
		return _said(from, "it cannot be read (%s)" % error_string(FileAccess.get_open_error()))
	_fault = ""
	var wrap := Wrap.PLAIN
	var mode := 0
	var inside := outside
	if outside.size() >= 8 and outside.slice(0, 4).get_string_from_ascii() == "GDEC":
		wrap = Wrap.ENCRYPTED
		if key.is_empty():
			key = password.md5_text().to_ascii_buffer()
		inside = _decrypted(outside, key)
	elif outside.size() >= 16 and outside.slice(0, 4).get_string_from_ascii() == "GCPF":
		wrap = Wrap.COMPRESSED
		mode = outside.decode_u32(4)
		inside = _unpacked(from, mode)
	if _fault:
		return _said(from, _fault)
	var made := convert_bytes(inside)
	if _fault:
		return _said(from, _fault)
	return _write(to, made, wrap, mode, key)


## The bytes of a whole file without wraps as Godot 4 reads them; empty, with fault() saying why, where it cannot be.
func convert_bytes(bytes: PackedByteArray) -> PackedByteArray:
	var made := _stored(bytes)
	if not _fault:
		return made
	var first := _fault
	made = _following(bytes)
	if not _fault:
		return made
	if _is_text(bytes):
		_fault = ""
		return bytes
	_fault = first
	return PackedByteArray()


## One value of Godot 3 without a length before it, such as get_buffer() gives; null, and fault() says why, if it is none.
func convert_value(bytes: PackedByteArray) -> Variant:
	var made := _value(bytes, 0, bytes.size())
	return null if _fault else bytes_to_var(made)


## Why the last call gave nothing.
func fault() -> String:
	return _fault


func _said(path: String, why: String) -> String:
	return "“%s” was not converted: %s." % [path, why]


# Wraps


func _decrypted(outside: PackedByteArray, key: PackedByteArray) -> PackedByteArray:
	var size := outside.decode_u64(24) if outside.size() >= OLD_HEAD else -1
	if size < 0 or size > outside.size() or outside.decode_u32(4) != 1 or OLD_HEAD + _filled(size, 16) > outside.size():
		_fault = "it is not encrypted as Godot 3 does it, or bytes are missing"
		return PackedByteArray()
	if key.size() != KEY_SIZE:
		_fault = "its key must be of 32 bytes"
		return PackedByteArray()
	if size == 0:
		return PackedByteArray()
	var aes := AESContext.new()
	aes.start(AESContext.MODE_ECB_DECRYPT, key)
	var plain := aes.update(outside.slice(OLD_HEAD, OLD_HEAD + _filled(size, 16))).slice(0, size)
	aes.finish()
	var digest := HashingContext.new()
	digest.start(HashingContext.HASH_MD5)
	digest.update(plain)
	if digest.finish() != outside.slice(8, 24):
		_fault = "it is encrypted, and the password or key is another one, or the file is damaged"
	return plain


func _unpacked(path: String, mode: int) -> PackedByteArray:
	var file := FileAccess.open_compressed(path, FileAccess.READ, mode)
	if file == null:
		_fault = "it cannot be unpacked (%s)" % error_string(FileAccess.get_open_error())
		return PackedByteArray()
	return file.get_buffer(file.get_length())


func _write(to: String, made: PackedByteArray, wrap: Wrap, mode: int, key: PackedByteArray) -> String:
	var beside := to + ".new"
	var file := _opened(beside, FileAccess.WRITE, wrap, mode, key)
	if file == null:
		return _said(to, "it cannot be written (%s)" % error_string(FileAccess.get_open_error()))
	file.store_buffer(made)
	file.close()
	file = _opened(beside, FileAccess.READ, wrap, mode, key)
	if file == null or file.get_buffer(file.get_length()) != made:
		DirAccess.remove_absolute(beside)
		return _said(to, "what was written cannot be read again; is the disk full")
	file.close()
	if FileAccess.file_exists(to):
		var backup := to + ".bak"
		var turn := 2
		while FileAccess.file_exists(backup):
			backup = "%s.bak%d" % [to, turn]
			turn += 1
		if DirAccess.rename_absolute(to, backup) != OK:
			DirAccess.remove_absolute(beside)
			return _said(to, "the old file cannot be kept")
	if DirAccess.rename_absolute(beside, to) != OK:
		return _said(to, "it cannot take its name; it lies beside it as “%s”" % beside)
	return ""


func _opened(path: String, way: FileAccess.ModeFlags, wrap: Wrap, mode: int, key: PackedByteArray) -> FileAccess:
	match wrap:
		Wrap.COMPRESSED:
			return FileAccess.open_compressed(path, way, mode)
		Wrap.ENCRYPTED:
			return FileAccess.open_encrypted(path, way, key)
	return FileAccess.open(path, way)


# Values that follow each other


## Values with their length before each, as store_var() writes them.
func _stored(bytes: PackedByteArray) -> PackedByteArray:
	_fault = ""
	var out := PackedByteArray()
	var at := 0
	while at < bytes.size():
		var size := bytes.decode_u32(at) if at + 4 <= bytes.size() else -1
		if size < 4 or size > bytes.size() - at - 4:
			_fault = "at byte %d is no value as store_var() of Godot 3 writes it" % at
			return out
		var made := _value(bytes, at + 4, at + 4 + size)
		if _fault:
			return out
		var length := PackedByteArray([0, 0, 0, 0])
		length.encode_u32(0, made.size())
		out.append_array(length)
		out.append_array(made)
		at += 4 + size
	return out


## Values one behind the other, without lengths.
func _following(bytes: PackedByteArray) -> PackedByteArray:
	_fault = ""
	var out := PackedByteArray()
	var at := 0
	while at < bytes.size():
		var made := _value(bytes, at, bytes.size(), false)
		if _fault:
			return out
		out.append_array(made)
		at = _at
	return out


func _is_text(bytes: PackedByteArray) -> bool:
	for byte in bytes:
		if byte < 32 and byte != 9 and byte != 10 and byte != 13:
			return false
	return bytes.get_string_from_utf8().to_utf8_buffer() == bytes


# One value: only its headers become others, and these stand where they stood


func _value(bytes: PackedByteArray, begin: int, end: int, is_all := true) -> PackedByteArray:
	_fault = ""
	_bytes = bytes.slice(begin, end)
	_at = 0
	_end = _bytes.size()
	_missing = []
	var left := 1 # how many values are still to come: however deep they lie, it is one number
	while left > 0 and not _fault:
		left += _step() - 1
		if left > (_end - _at) / 4:
			_refuse("there are fewer bytes than values")
	if is_all and not _fault and _at != _end:
		_refuse("the value ends there, but not its bytes")
	var made := _bytes.slice(0, _at)
	for k in range(_missing.size() - 1, -1, -1):
		var id := PackedByteArray()
		id.resize(8)
		made = made.slice(0, _missing[k]) + id + made.slice(_missing[k])
	if not _fault and made.decode_var_size(0, false) != made.size():
		_fault = "Godot 4 refuses the value at byte %d" % begin
	elif _fault:
		_fault = _fault % (begin + mini(_at, _end))
	_at += begin
	return made


func _refuse(why: String) -> int:
	_fault = why.replace("%", "%%") + " (byte %d)"
	return 0


## Goes over one value and what it says of itself; returns how many values it holds, which follow.
func _step() -> int:
	if _at + 4 > _end:
		return _refuse("bytes are missing")
	var header := _bytes.decode_u32(_at)
	var type := header & 0xFF
	if type >= TYPES.size():
		return _refuse("%d is no type of Godot 3" % type)
	var kind: Kind = TYPES[type][1]
	var is_wide := (header & OBJECT_ID) != 0
	_bytes.encode_u32(_at, TYPES[type][0] | (OBJECT_ID if is_wide and kind in [Kind.NUMBER, Kind.OBJECT] else 0))
	_at += 4
	match kind:
		Kind.FIXED: return _skip(TYPES[type][2])
		Kind.NUMBER: return _skip(8 if is_wide else 4)
		Kind.RID_NUMBER: _missing.append(_at)
		Kind.TEXT: _text()
		Kind.PATH: _path()
		Kind.OBJECT: return _object(is_wide)
		Kind.PAIRS: return 2 * _count()
		Kind.LIST: return _count()
		Kind.PACKED: return _skip(_filled(_count() * TYPES[type][2], 4))
		Kind.TEXTS:
			for k in range(_count()):
				_text()
				if _fault:
					break
	return 0


func _skip(size: int) -> int:
	if size > _end - _at:
		return _refuse("bytes are missing")
	_at += size
	return 0


func _word() -> int:
	if _at + 4 > _end:
		return _refuse("bytes are missing")
	_at += 4
	return _bytes.decode_u32(_at - 4)


## How many there are of something; the highest bit, which some versions set, is no part of it.
func _count() -> int:
	var count := _word() & 0x7FFFFFFF
	return count if count <= _end - _at else _refuse("a count is larger than the bytes behind it")


func _text() -> void:
	_skip(_filled(_word(), 4))


func _path() -> void:
	var names := _word()
	if not names & 0x80000000:
		_refuse("a node path is written as Godot 2 did it")
		return
	var count := (names & 0x7FFFFFFF) + _word()
	_word()
	for k in range(count):
		_text()
		if _fault:
			break


func _object(is_id: bool) -> int:
	if is_id:
		return _skip(8)
	var size := _word()
	if size == 0:
		return 0
	var name := _bytes.slice(_at, mini(_end, _at + size)).get_string_from_utf8()
	return _refuse("an object of class %s is in it, which only the old game can read" % name)


func _filled(size: int, to: int) -> int:
	return (size + to - 1) / to * to
