# Carry out every line "NUMBER MODE OBJECTS OPENED SECRET" of requests.txt on the file in/NUMBER.
# OPENED is plain, compressed, key or pass; SECRET the key or the password in hex, "-" for none.
# Markers and answers go to stderr, among the engine's own messages, so that each message is known to its request.
# Refused bytes are a script error: the function that called bytes2var is left at once, and `done` stays false.
extends SceneTree

var values = preload("res://value_json.gd").new()
var done
var position

func _init():
	var f = File.new()
	f.open("res://requests.txt", File.READ)
	var lines = f.get_as_text().split("\n", false)
	f.close()
	for line in lines:
		var words = line.split(" ")
		printerr("@@BEGIN ", words[0])
		answer("res://in/" + words[0], words[1], words[2] == "1", words[3], words[4])
		printerr("@@END ", words[0])
	quit()

func answer(path, mode, objects, opened, secret):
	done = false
	position = null
	var f = File.new()
	var error = open(f, path, opened, secret)
	if error != OK: printerr("ERROR: the file does not open: ", error)
	var found = null
	if error == OK: found = call_config(path, opened, unhexed(secret)) if mode == "config" else carry_out(f, mode, objects)
	f.close()
	var r = {"done": done, "position": position}
	if mode == "mount": r["files"] = found
	elif mode == "encode" or mode == "stream" or mode == "pack": r["hex"] = found.hex_encode()
	elif mode == "load": r["resources"] = found
	elif done:
		r["values"] = []
		for v in found: r["values"].append(values.show(v, objects))
	printerr("@@ANSWER ", to_json(r))

func open(f, path, opened, secret):
	match opened:
		"compressed": return f.open_compressed(path, File.READ, File.COMPRESSION_FASTLZ)
		"key": return f.open_encrypted(path, File.READ, unhexed(secret))
		"pass": return f.open_encrypted_with_pass(path, File.READ, unhexed(secret).get_string_from_utf8())
	return f.open(path, File.READ)

func unhexed(text):
	var bytes = PoolByteArray()
	if text != "-":
		for k in range(0, text.length(), 2): bytes.append(("0x" + text.substr(k, 2)).hex_to_int())
	return bytes

func carry_out(f, mode, objects):
	var found = null
	match mode:
		"bytes2var": found = call_bytes2var(f, objects)
		"get_var": found = call_get_var(f, objects)
		"get_var_all": found = call_get_var_all(f, objects)
		"encode": found = call_encode(f)
		"stream": found = call_stream(f)
		"load": found = call_load(f)
		"pack": found = call_pack(f)
		"mount": found = call_mount(f)
		"json": found = call_json(f)
	return found

func call_bytes2var(f, objects):
	var v = bytes2var(f.get_buffer(f.get_len()), objects)
	done = true
	return [v]

func call_get_var(f, objects):
	var v = f.get_var(objects)
	position = str(f.get_position())
	done = true
	return [v]

func call_get_var_all(f, objects):
	var found = []
	while f.get_position() < f.get_len(): found.append(f.get_var(objects))
	position = str(f.get_position())
	done = true
	return found

func call_encode(f):
	var text = f.get_as_text()
	var v = str2var(text)
	done = typeof(v) != TYPE_STRING or v != text  # what str2var does not understand it gives back as it is
	return var2bytes(v)

func call_json(f):
	var parsed = JSON.parse(f.get_as_text())
	done = parsed.error == OK
	return [parsed.result]

# A ConfigFile as a dictionary of its sections.
func call_config(path, opened, secret):
	var config = ConfigFile.new()
	match opened:
		"key": done = config.load_encrypted(path, secret) == OK
		"pass": done = config.load_encrypted_pass(path, secret.get_string_from_utf8()) == OK
		_: done = config.load(path) == OK
	var all = {}
	for section in config.get_sections():
		all[section] = {}
		for key in config.get_section_keys(section): all[section][key] = config.get_value(section, key)
	return [all]

# The bytes are those of a resource: it and all resources in it, the main one first.
func call_load(f):
	var is_text = f.get_8() == 91  # it begins with a bracket
	f.seek(0)
	var path = f.get_path() + (".tres" if is_text else ".res")  # resources inside are known by the path of the file, for as long as they live
	var out = File.new()
	out.open(path, File.WRITE)
	out.store_buffer(f.get_buffer(f.get_len()))
	out.close()
	var main = ResourceLoader.load(path, "", true)
	done = true
	return values.show_resource(main) if main != null else null

# The package of some files, given by path as hex.
func call_pack(f):
	var files = parse_json(f.get_as_text())
	var packer = PCKPacker.new()
	packer.pck_start("user://packed.pck", 16)
	for path in files:
		put("user://" + str(path.hash()), unhexed(files[path]))
		packer.add_file(path, "user://" + str(path.hash()))
	packer.flush()
	done = true
	return got("user://packed.pck")

# What is found in a package at some paths; null where it is refused.
func call_mount(f):
	var wanted = parse_json(f.get_as_text())
	var path = f.get_path() + ".pck" # it stays open as long as the engine runs
	put(path, unhexed(wanted["data"]))
	done = true
	if not ProjectSettings.load_resource_pack(path): return null
	var found = {}
	for each in wanted["paths"]: found[each] = got(each).hex_encode() if is_there(each) else null
	return found

func is_there(path):
	return File.new().file_exists(path)

func got(path):
	var f = File.new()
	f.open(path, File.READ)
	var bytes = f.get_buffer(f.get_len())
	f.close()
	return bytes

func put(path, bytes):
	var f = File.new()
	f.open(path, File.WRITE)
	f.store_buffer(bytes)
	f.close()

func call_stream(f):
	var out = File.new()
	out.open("user://stream", File.WRITE)
	for step in parse_json(f.get_as_text()): write_step(out, step)
	out.close()
	out.open("user://stream", File.READ)
	var bytes = out.get_buffer(out.get_len())
	out.close()
	done = true
	return bytes

func write_step(out, step):
	match step[0]:
		"big": out.endian_swap = true
		"var": out.store_var(str2var(step[1]))
		"bare": out.store_buffer(var2bytes(str2var(step[1])))
		"sized": write_sized(out, int(step[1]), step[2], var2bytes(str2var(step[3])))
		"8": out.store_8(int(step[1]))
		"16": out.store_16(int(step[1]))
		"32": out.store_32(int(step[1]))
		"64": out.store_64(int(step[1]))
		"float": out.store_float(step[1])
		"double": out.store_double(step[1])
		"real": out.store_real(step[1])
		"pascal": out.store_pascal_string(step[1])
		"line": out.store_line(step[1])
		"string": out.store_string(step[1])

# What is too long for its size is left out.
func write_sized(out, width, is_big, bytes):
	if bytes.size() >> (8 * width): return
	var size = PoolByteArray()
	for k in range(width): size.append((bytes.size() >> (8 * k)) & 0xFF)
	if is_big: size.invert()
	out.store_buffer(size)
	out.store_buffer(bytes)
