# Two processes put_var to each other over UDP. ROLE=server|client, PORT: where the server listens, or the client sends.
# Each tells on stderr what it sent and what it got, as "@@SENT HEX" and "@@GOT HEX"; "bye" ends the server.
extends SceneTree

var values = [null, true, -1, 5000000000, 0.5, "Zoë", Vector2(1, 2), PoolByteArray([1, 2, 3]), [1, [2]],
	{"cmd": "move", "to": Vector2(10, 20), "seq": 1}, "bye"]
var socket = PacketPeerUDP.new()

func _init():
	var port = int(OS.get_environment("PORT"))
	if OS.get_environment("ROLE") == "server": serve(port)
	else: ask(port)
	quit()

func serve(port):
	printerr("@@READY ", socket.listen(port, "127.0.0.1"))
	var last = null
	while typeof(last) != TYPE_STRING or last != "bye":
		last = got()
		socket.set_dest_address(socket.get_packet_ip(), socket.get_packet_port())
		send({"got": typeof(last)})

func ask(port):
	socket.set_dest_address("127.0.0.1", port)
	for value in values:
		send(value)
		got()

func send(value):
	printerr("@@SENT ", var2bytes(value).hex_encode())
	socket.put_var(value)

func got():
	var waited = 0
	while socket.get_available_packet_count() == 0 and waited < 10000:
		OS.delay_msec(1)
		waited += 1
	var value = socket.get_var()
	printerr("@@GOT ", var2bytes(value).hex_encode())
	return value
