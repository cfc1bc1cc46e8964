# Carry out every line "NUMBER MODE PASSWORD-OR-KEY" of requests.txt on the file in/NUMBER, and store the bytes that come out
# as out/NUMBER: what open_encrypted ("key", 64 hex digits) or open_encrypted_with_pass ("pass", hex digits of the UTF-8
# text) reads, or what they write ("write-key", "write-pass"). What cannot be opened leaves no file.
extends SceneTree

func _init():
	var f = File.new()
	f.open("res://requests.txt", File.READ)
	var lines = f.get_as_text().split("\n", false)
	f.close()
	for line in lines:
		var words = line.split(" ")
		carry_out("res://in/" + words[0], "res://out/" + words[0], words[1], bytes_of(words[2] if words.size() > 2 else ""))
	quit()

func bytes_of(digits):
	var found = PoolByteArray()
	for at in range(0, digits.length(), 2): found.append(("0x" + digits.substr(at, 2)).hex_to_int())
	return found

func carry_out(source, target, mode, secret):
	var writes = mode.begins_with("write")
	var f = File.new()
	var error = f.open(source, File.READ) if writes else opened(f, source, File.READ, mode, secret)
	if error != OK: return
	var found = f.get_buffer(f.get_len())
	f.close()
	if writes: opened(f, target, File.WRITE, mode, secret)
	else: f.open(target, File.WRITE)
	f.store_buffer(found)
	f.close()

func opened(f, path, way, mode, secret):
	if mode.ends_with("key"): return f.open_encrypted(path, way, secret)
	return f.open_encrypted_with_pass(path, way, secret.get_string_from_utf8())
