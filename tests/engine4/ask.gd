# Answers requests of tests/engine4.py: one JSON text in, one out, both passed on by host.cjs, which adds the messages
# that the engine prints in between. All bytes and texts are hex (texts of their UTF-8).
extends Node

const FILE = "user://asked"
const DEEPEST = 100 # levels that are shown one in the other; what is deeper is shown as its bytes
const COMPRESSED = "compressed:"  # and the number of the mode

var main = null # the resource that is being shown
var seen = []
var count = 0

func _ready():
	var host = JavaScriptBridge.get_interface("testHost")
	while true:
		var line = host.take()
		if line == null:
			break
		host.give(JSON.stringify(answer(JSON.parse_string(line))))
	get_tree().quit()

func answer(request):
	match request.task:
		"read": return read(request)
		"write": return {"file": write(request).hex_encode()}
		"stream": return {"file": stream(request.steps).hex_encode()}
		"native": return told(JSON.to_native(JSON.parse_string(text_of(request.data)), request.objects))
		"load": return loaded(request)
		"resave": return resaved(request)
		"pack": return {"file": packed(request).hex_encode()}
		"mount": return mounted(request)
		"text": return told(str_to_var(text_of(request.data)))
		"json": return parsed(request)
		"config": return settings(request)
		"convert": return converted(request)
	return {"unknown": request.task}

func text_of(hex):
	return hex.hex_decode().get_string_from_utf8()

# How the values of some bytes lie: one bare value, bare values one behind the other, or values behind their length.
func read(request):
	var bytes = request.data.hex_decode()
	if request.framing == "bare" or request.framing == "concatenated":
		return read_bare(bytes, request.framing == "concatenated", request)
	return read_file(bytes, request)

func read_bare(bytes, all, request):
	var values = []
	var at = 0
	while at < len(bytes) or not values:
		var used = bytes.decode_var_size(at, request.objects)
		if used == 0:
			return {"values": values, "refused": true, "end": at}
		values.append(forms(bytes.decode_var(at, request.objects), request))
		at += used
		if not all:
			break
	return {"values": values, "refused": false, "end": at}

func read_file(bytes, request):
	var plain = FileAccess.open(FILE, FileAccess.WRITE)
	plain.store_buffer(bytes)
	plain.close()
	var file = opened(FileAccess.READ, request)
	if file == null:
		return {"values": [], "refused": true, "end": 0, "error": FileAccess.get_open_error()}
	file.big_endian = request.framing == "big-endian"
	var values = []
	while file.get_position() < file.get_length():
		values.append(forms(file.get_var(request.objects), request))
	return {"values": values, "refused": false, "end": file.get_position()}

func opened(way, request):
	var secret = request.secret.hex_decode()
	if request.opened.begins_with(COMPRESSED):
		return FileAccess.open_compressed(FILE, way, int(request.opened.trim_prefix(COMPRESSED)))
	match request.opened:
		"plain": return FileAccess.open(FILE, way)
		"key": return FileAccess.open_encrypted(FILE, way, secret)
		"password": return FileAccess.open_encrypted_with_pass(FILE, way, secret.get_string_from_utf8())
	return null

# The file that the engine writes for values, each given as the bytes of one.
func write(request):
	var file = opened(FileAccess.WRITE, request)
	file.big_endian = request.framing == "big-endian"
	for hex in request.values:
		file.store_var(bytes_to_var(hex.hex_decode()))
	file.close()
	return FileAccess.get_file_as_bytes(FILE)

# The file that the engine writes in steps: values and fields in any order.
func stream(steps):
	var file = FileAccess.open(FILE, FileAccess.WRITE)
	for step in steps: write_step(file, step)
	file.close()
	return FileAccess.get_file_as_bytes(FILE)

func write_step(file, step):
	match step[0]:
		"big": file.big_endian = true
		"var": file.store_var(str_to_var(step[1]))
		"bare": file.store_buffer(var_to_bytes(str_to_var(step[1])))
		"sized": write_sized(file, int(step[1]), step[2], var_to_bytes(str_to_var(step[3])))
		"8": file.store_8(int(step[1]))
		"16": file.store_16(int(step[1]))
		"32": file.store_32(int(step[1]))
		"64": file.store_64(int(step[1]))
		"float": file.store_float(step[1])
		"double": file.store_double(step[1])
		"real": file.store_real(step[1])
		"pascal": file.store_pascal_string(step[1])
		"line": file.store_line(step[1])
		"string": file.store_string(step[1])

# What is too long for its size is left out.
func write_sized(file, width, is_big, bytes):
	if bytes.size() >> (8 * width): return
	var size = PackedByteArray()
	for k in range(width): size.append((bytes.size() >> (8 * k)) & 0xFF)
	if is_big: size.reverse()
	file.store_buffer(size)
	file.store_buffer(bytes)

# What the text of a JSON file holds.
func parsed(request):
	put(FILE, request.data)
	var file = opened(FileAccess.READ, request)
	if file == null: return {"values": [], "refused": true, "end": 0}
	var json = JSON.new()
	if json.parse(file.get_as_text()) != OK: return {"values": [], "refused": true, "end": json.get_error_line()}
	return told(json.data)

# A ConfigFile as a dictionary of its sections.
func settings(request):
	put(FILE, request.data)
	var config = ConfigFile.new()
	if loaded_config(config, request) != OK: return {"values": [], "refused": true, "end": 0}
	var all = {}
	for section in config.get_sections():
		all[section] = {}
		for key in config.get_section_keys(section): all[section][key] = config.get_value(section, key)
	return told(all)

func loaded_config(config, request):
	var secret = request.secret.hex_decode()
	match request.opened:
		"key": return config.load_encrypted(FILE, secret)
		"password": return config.load_encrypted_pass(FILE, secret.get_string_from_utf8())
	return config.load(FILE)

func told(value):
	return {"values": [forms(value, {"objects": false, "forms": true})], "refused": false, "end": 0}

# A value as exact JSON and, where asked for, in the forms in which the engine writes it.
func forms(value, request):
	var found = {"shown": show(value, request.objects)}
	if request.forms:
		var bytes = var_to_bytes_with_objects(value) if request.objects else var_to_bytes(value)
		found["bytes"] = bytes.hex_encode()
		found["text"] = var_to_str(value).to_utf8_buffer().hex_encode()
		found["native"] = JSON.stringify(JSON.from_native(value, request.objects), "", false, true).to_utf8_buffer().hex_encode()
	return found

# A resource that the engine loads from bytes, and all resources in it: class, id (a path, of external ones), properties.
func loaded(request):
	for path in request.files: put(path, request.files[path])
	count += 1 # resources inside are known by the path of the file, for as long as they live
	var path = "%s_%d.%s" % [request.path.get_basename(), count, request.path.get_extension()]
	put(path, request.data)
	main = ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
	DirAccess.remove_absolute(path)
	if main == null: return {"resources": null}
	seen = [main]
	var resources = []
	var at = 0
	while at < len(seen):
		var properties = []
		for field in seen[at].get_property_list():
			if field.usage & PROPERTY_USAGE_STORAGE:
				properties.append([field.name, show(seen[at].get(field.name), false)])
		resources.append({"class": seen[at].get_class(), "id": id_of(seen[at]), "properties": properties})
		at += 1
	main = null
	return {"resources": resources}

# A resource as the engine saves it with another ending, empty for one that it refuses.
func resaved(request):
	for path in request.files: put(path, request.files[path])
	count += 1
	var path = "%s_%d.%s" % [request.path.get_basename(), count, request.path.get_extension()]
	put(path, request.data)
	var resource = ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
	DirAccess.remove_absolute(path)
	if resource == null: return {"file": ""}
	var out = "%s_saved.%s" % [path.get_basename(), request.ending]
	ResourceSaver.save(resource, out)
	return {"file": FileAccess.get_file_as_bytes(out).hex_encode()}

# A file as a script for players converts it, and what the script said; files lie at its path before.
func converted(request):
	var script = GDScript.new()
	script.source_code = text_of(request.script)
	if script.reload() != OK: return {"fault": "the script is refused", "file": "", "kept": ""}
	put(FILE, request.data)
	put(FILE + ".out", request.there)
	var secret = request.secret.hex_decode()
	var is_key = request.opened == "key"
	var password = "" if is_key else secret.get_string_from_utf8()
	var fault = script.new().convert_file(FILE, FILE + ".out", password, secret if is_key else PackedByteArray())
	var kept = FileAccess.get_file_as_bytes(FILE + ".out.bak").hex_encode()
	DirAccess.remove_absolute(FILE + ".out.bak")
	return {"fault": fault, "file": FileAccess.get_file_as_bytes(FILE + ".out").hex_encode(), "kept": kept}

# A package of files, and what the engine finds in one.
func packed(request):
	var packer = PCKPacker.new()
	packer.pck_start(FILE, int(request.align))
	for path in request.files:
		var source = "user://packed_%d" % path.hash()
		put(source, request.files[path])
		packer.add_file(path, source)
	packer.flush()
	return FileAccess.get_file_as_bytes(FILE)

func mounted(request):
	count += 1 # a package stays open as long as the engine runs
	put("user://%d.pck" % count, request.data)
	if not ProjectSettings.load_resource_pack("user://%d.pck" % count): return {"files": null}
	var ids = {} # a package may bring a cache of ids, which the engine adds to its own
	for id in request.ids:
		var number = ResourceUID.text_to_id(id)
		ids[id] = ResourceUID.get_id_path(number) if ResourceUID.has_id(number) else null
	var found = {}
	for path in request.paths:
		found[path] = FileAccess.get_file_as_bytes(path).hex_encode() if FileAccess.file_exists(path) else null
	return {"files": found, "ids": ids}

func put(path, hex):
	var file = FileAccess.open(path, FileAccess.WRITE)
	file.store_buffer(hex.hex_decode())
	file.close()

func id_of(resource):
	if resource == main: return ""
	return resource.resource_scene_unique_id if resource.resource_scene_unique_id else resource.resource_path

# Collections with all that is in them; other values as the bytes in which the engine writes them.
func show(value, objects, depth = 0):
	if depth > DEEPEST: return {"bytes": var_to_bytes(value).hex_encode()}
	match typeof(value):
		TYPE_NIL: return null
		TYPE_BOOL: return value
		TYPE_INT: return {"int": str(value)}
		TYPE_STRING: return {"String": value.to_utf8_buffer().hex_encode()}
		TYPE_STRING_NAME: return {"StringName": value.to_utf8_buffer().hex_encode()}
		TYPE_NODE_PATH: return {"NodePath": str(value).to_utf8_buffer().hex_encode(), "absolute": value.is_absolute()}
		TYPE_ARRAY: return show_array(value, objects, depth)
		TYPE_DICTIONARY: return show_dictionary(value, objects, depth)
		TYPE_CALLABLE: return {"Callable": value.is_null()}
		TYPE_OBJECT: return show_object(value, objects, depth)
	return {type_string(typeof(value)): var_to_bytes(value).slice(4).hex_encode()}

func show_array(value, objects, depth):
	var shown = {"Array": []}
	for each in value:
		shown["Array"].append(show(each, objects, depth + 1))
	if value.is_typed():
		shown["of"] = of(value.get_typed_builtin(), value.get_typed_class_name(), value.get_typed_script())
	return shown

func show_dictionary(value, objects, depth):
	var shown = {"Dictionary": []}
	for key in value:
		shown["Dictionary"].append([show(key, objects, depth + 1), show(value[key], objects, depth + 1)])
	if value.is_typed():
		var keys = of(value.get_typed_key_builtin(), value.get_typed_key_class_name(), value.get_typed_key_script())
		var held = of(value.get_typed_value_builtin(), value.get_typed_value_class_name(), value.get_typed_value_script())
		shown["of"] = [keys, held]
	return shown

func of(type, name, script):
	if type == TYPE_NIL: return "Variant"
	if script != null: return script.resource_path
	return str(name) if name else type_string(type)

# An object that was read as no more than a number, or one with its fields.
func show_object(value, objects, depth):
	if not is_instance_valid(value): return {"Object": null}
	if main != null and value is Resource:
		if not value in seen and not value is Script and id_of(value) == value.resource_scene_unique_id: seen.append(value)
		return {"Resource": id_of(value)}
	if value is EncodedObjectAsID: return {"Object": str(value.object_id)}
	if not objects: return {"Object": value.get_class()}
	var fields = []
	for field in value.get_property_list():
		if field.usage & PROPERTY_USAGE_STORAGE or field.usage & PROPERTY_USAGE_SCRIPT_VARIABLE:
			fields.append([field.name, show(value.get(field.name), true, depth + 1)])
	return {"Object": value.get_class(), "fields": fields}
