# Decodes one file again and again, when asked to, over a socket: commands come as texts, answers are 64-bit numbers.
extends SceneTree

var line = StreamPeerTCP.new()
var bytes = PoolByteArray()
var kept = null

func load_bytes(path):
	kept = null
	var file = File.new()
	if file.open(path, File.READ) != OK:
		return -1
	bytes = file.get_buffer(file.get_len())
	file.close()
	return bytes.size()

# Whether nothing got lost: the decoded value has the same bytes again.
func is_whole():
	return int(var2bytes(bytes2var(bytes)) == bytes)

func keep():
	kept = bytes2var(bytes)
	return int(kept != null)

# Its own loader, without what it has in memory already.
func open(path):
	kept = ResourceLoader.load(path, "", true)
	return int(kept != null)

# The engine's own JSON and ConfigFile.
func parse(path):
	if path.ends_with(".cfg"):
		kept = ConfigFile.new()
		return int(kept.load(path) == OK)
	var file = File.new()
	if file.open(path, File.READ) != OK:
		return 0
	kept = JSON.parse(file.get_as_text())
	file.close()
	return int(kept.error == OK)

func drop():
	kept = null
	return 1

func answer(words):
	match words[0]:
		"load": return load_bytes(words[1])
		"check": return is_whole()
		"keep": return keep()
		"open": return open(words[1])
		"parse": return parse(words[1])
		"drop": return drop()
	return -1

func _init():
	line.connect_to_host("127.0.0.1", int(OS.get_environment("BENCH_PORT")))
	while line.get_status() == StreamPeerTCP.STATUS_CONNECTING:
		OS.delay_msec(1)
	line.set_no_delay(true)
	while line.get_status() == StreamPeerTCP.STATUS_CONNECTED:
		var words = line.get_utf8_string(line.get_u32()).split(" ", true, 1)
		if words[0] == "quit" or words[0] == "":
			break
		line.put_64(answer(words))
	quit()
