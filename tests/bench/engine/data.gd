# Writes one file of data: BENCH_SHAPE says which, BENCH_SIZE how large (bytes, elements or rows), BENCH_OUT where.
extends SceneTree

const GIVEN = ["Ada", "Bo", "Chidi", "Dörte", "Émile", "Farid", "Goro", "Håkon", "Inés", "Jun", "Ксения", "莉子"]
const TRADES = ["smith", "baker", "sailor", "herbalist", "mason", "cartographer"]
const GOODS = ["rope", "lamp oil", "salt", "copper wire", "seed grain", "blue dye", "quill", "bandage", "tea"]
const ORDERS = ["guard the ferry", "mend nets", "carry water", "rest", "teach", "gather reeds near the old mill"]
const SMALL_BATCH = 200

func pick(list, number):
	return list[number % list.size()]

func goods(number):
	var list = []
	for k in range(2 + number % 5):
		list.append({"kind": pick(GOODS, number + 3 * k), "count": 1 + (number + k) % 40, "wear": 0.125 * (k % 8)})
	return list

func settler(number):
	var orders = []
	for k in range(number % 3):
		orders.append(pick(ORDERS, number + k))
	return {
		"uid": 5000 + number,
		"given": "%s %d" % [pick(GIVEN, number), number],
		"trade": pick(TRADES, number / 2),
		"place": Vector3(number % 311, 1.5, number / 311),
		"facing": Quat(0, 0.6, 0, 0.8),
		"tile": Vector2(number % 311, number / 311),
		"hearts": 3 + number % 17,
		"hunger": (number % 1000) / 1000.0,
		"born": 4000000000 + 60 * number,
		"awake": number % 5 != 0,
		"home": NodePath("Town/House%d" % (number % 97)),
		"partner": null if number % 4 == 0 else number ^ 1,
		"coat": Color(0.25, 0.5, (number % 8) / 8.0, 1),
		"skills": {"haul": number % 10, "trade": 4, "swim": number % 3, "cook": 2, "read": number % 7 == 0},
		"bag": goods(number),
		"orders": orders,
		"met": {number % 50: true, 50 + number % 31: false},
		"path": PoolVector3Array([Vector3(1, 0, 2), Vector3(2, 0, 2), Vector3(3, 0, 4)]),
	}

func save_of(count):
	var settlers = []
	for number in range(count):
		settlers.append(settler(number))
	return {"format": 7, "title": "Überfahrt 第三章", "saved_at": 1700000000123, "settlers": settlers}

# A game's save, mostly small dictionaries, of about so many bytes.
func save(size):
	var batch = var2bytes(save_of(SMALL_BATCH)).size() / float(SMALL_BATCH)
	return save_of(int(max(1, size / batch)))

func number_or_word(kind):
	match kind:
		0: return null
		1: return randi() % 2 == 0
		2: return randi() % 100000
		3: return 9000000000 + randi()
		4: return randf()
		5: return pick(GOODS, randi())
		6: return pick(ORDERS, randi()) + " " + pick(GIVEN, randi())
		7: return Vector2(randf(), randf())
		8: return Vector3(randf(), 0, randf())
		9: return Color(randf(), randf(), 0.5, 1)
		10: return Transform()
	return PoolIntArray([randi() % 9, 8, 7])

func anything(depth):
	var kind = randi() % (15 if depth < 5 else 12)
	if kind < 12:
		return number_or_word(kind)
	if kind == 12:
		var list = []
		for _k in range(randi() % 7):
			list.append(anything(depth + 1))
		return list
	var pairs = {}
	for _k in range(randi() % 6):
		pairs[pick(TRADES, randi())] = anything(depth + 1)
	return pairs

# So many values of any type, the same ones every time.
func mixed(count):
	seed(20)
	var list = []
	for _k in range(count):
		list.append(anything(0))
	return list

# So many towers of arrays and dictionaries in one another, each eighty levels high.
func towers(count):
	var list = []
	for number in range(count):
		var inner = number
		for level in range(80):
			inner = {"in": inner} if level % 2 == 0 else [inner, level]
		list.append(inner)
	return list

func ints(count):
	return range(count)

# A resource with so many others in it, of about so many bytes in all.
func resources(size):
	var list = []
	for number in range(int(max(1, size / var2bytes(settler(7)).size()))):
		var one = Resource.new()
		one.resource_name = "settler %d" % number
		one.set_meta("data", settler(number))
		list.append(one)
	return list

# A section for each settler of a save.
func settings(save):
	var file = ConfigFile.new()
	for number in range(save.settlers.size()):
		var settler = save.settlers[number]
		for key in settler:
			file.set_value("settler %d" % number, key, settler[key])
	return file

func _init():
	var value = call(OS.get_environment("BENCH_SHAPE"), int(OS.get_environment("BENCH_SIZE")))
	var out = OS.get_environment("BENCH_OUT")
	if out.ends_with(".res") or out.ends_with(".tres"):
		var holder = Resource.new()
		holder.set_meta("data", value)
		ResourceSaver.save(out, holder)
		quit()
		return
	if out.ends_with(".cfg"):
		settings(value).save(out)
		quit()
		return
	var file = File.new()
	if file.open(out, File.WRITE) == OK:
		if out.ends_with(".json"):
			file.store_string(to_json(value))
		else:
			file.store_buffer(var2bytes(value))
		file.close()
	quit()
