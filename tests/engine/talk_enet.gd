# Two processes call each other's methods over ENet. ROLE=server|client, PORT, COMPRESSION: the engine's number for it.
# Each tells on stderr what it called and what was called, as "@@SENT METHOD HEX,HEX" and "@@GOT METHOD HEX,HEX".
extends SceneTree

const SECONDS = 20.0
var peer = NetworkedMultiplayerENet.new()
var node = Node.new()
var server = OS.get_environment("ROLE") == "server"
var connected = false
var ending = false
var step = 0
var waited = 0.0
var pause = 0.0

func _initialize():
	var port = int(OS.get_environment("PORT"))
	peer.compression_mode = int(OS.get_environment("COMPRESSION"))
	node.set_script(load("res://talk_node.gd"))
	node.name = "Main"
	get_root().add_child(node)
	node.connect("done", self, "_end")
	connect("network_peer_connected", self, "_up")
	if server: peer.set_bind_ip("127.0.0.1")
	printerr("@@READY ", peer.create_server(port, 4) if server else peer.create_client("127.0.0.1", port))
	set_network_peer(peer)

func _up(_id):
	connected = true

func _end():
	ending = true

func _idle(passed):
	waited += passed
	pause += passed
	if waited > SECONDS or (ending and pause > 0.3):
		peer.close_connection()
		quit()
	elif connected and not ending and pause > 0.05:
		pause = 0.0
		go(step)
		step += 1

func go(i):
	if server:
		if i == 3: node.send("tell", [{"hp": 12, "items": ["sword", "bow"]}])
		elif i == 4: node.send("tell", ["to all"], true)
		return
	match i:
		0: node.send("hit", [1, "abc"])
		1: node.send("hit", [Vector2(1, 2), {"k": [1, 2, 3]}])
		2: node.send("hit", [0.5, null], true)
		3: node.send("hit", [big(), 1])
		8:
			node.rset("score", 123)
			printerr("@@SENT score ", var2bytes(123).hex_encode())
		12:
			node.rpc("bye")
			ending = true
			pause = -0.5

func big():
	var found = PoolByteArray()
	found.resize(5000)
	for at in 5000: found[at] = at % 251
	return found
