# Carry out every line "NUMBER MODE" of requests.txt on the file in/NUMBER, and store the bytes that come out as out/NUMBER:
# what open_compressed reads ("read"), or what it writes with a method ("write:METHOD"), or FastLZ alone ("fastlz").
# What cannot be opened leaves no file.
extends SceneTree

func _init():
	var f = File.new()
	f.open("res://requests.txt", File.READ)
	var lines = f.get_as_text().split("\n", false)
	f.close()
	for line in lines:
		var words = line.split(" ")
		carry_out("res://in/" + words[0], "res://out/" + words[0], words[1])
	quit()

func carry_out(source, target, mode):
	if mode == "read":
		var found = contents(source, true)
		if found != null: store(target, found, -1)
	elif mode == "fastlz":
		store(target, contents(source, false).compress(File.COMPRESSION_FASTLZ), -1)
	else:
		store(target, contents(source, false), int(mode.split(":")[1]))

func contents(path, compressed):
	var f = File.new()
	var error = f.open_compressed(path, File.READ) if compressed else f.open(path, File.READ)
	if error != OK: return null
	var found = f.get_buffer(f.get_len())
	f.close()
	return found

func store(path, bytes, method):
	var f = File.new()
	if method < 0: f.open(path, File.WRITE)
	else: f.open_compressed(path, File.WRITE, method)
	f.store_buffer(bytes)
	f.close()
