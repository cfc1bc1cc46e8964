# The node that both processes of talk_enet.gd have at /root/Main.
extends Node

signal done

remote var score = 0

remote func hit(a, b): got("hit", [a, b])
remote func tell(a): got("tell", [a])
remote func bye(): emit_signal("done")

func got(method, arguments):
	printerr("@@GOT ", method, " ", hex(arguments))

func send(method, arguments, unreliable = false):
	printerr("@@SENT ", method, " ", hex(arguments))
	callv("rpc_unreliable" if unreliable else "rpc", [method] + arguments)

func hex(arguments):
	var found = PoolStringArray()
	for argument in arguments: found.append(var2bytes(argument).hex_encode())
	return found.join(",")
