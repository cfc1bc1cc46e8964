# A Variant as exact JSON: ints as text, floats as their bits, strings as the hex of their UTF-8.
# tests/engine.py turns the bits and the hex into readable text.
extends Reference

const MAX_DEPTH = 200
const POOLS = {
	TYPE_INT_ARRAY: "PoolIntArray", TYPE_REAL_ARRAY: "PoolRealArray", TYPE_STRING_ARRAY: "PoolStringArray",
	TYPE_VECTOR2_ARRAY: "PoolVector2Array", TYPE_VECTOR3_ARRAY: "PoolVector3Array", TYPE_COLOR_ARRAY: "PoolColorArray",
}

var main = null  # the resource that is being shown
var seen = []
var bits = StreamPeerBuffer.new()

func _init():
	bits.big_endian = true

func show(v, objects, depth = 0):
	if depth > MAX_DEPTH: return {"deep": true}
	match typeof(v):
		TYPE_NIL: return null
		TYPE_BOOL: return v
		TYPE_INT: return {"int": str(v)}
		TYPE_REAL: return {"float": f64(v)}
		TYPE_STRING: return text(v)
		TYPE_NODE_PATH: return {"NodePath": node_path(v)}
		TYPE_RID: return {"RID": str(v.get_id())}
		TYPE_OBJECT: return other_resource(v) if main != null and v is Resource else {"Object": object(v, objects, depth)}
		TYPE_DICTIONARY:
			var pairs = []
			for k in v.keys(): pairs.append([show(k, objects, depth + 1), show(v[k], objects, depth + 1)])
			return {"Dictionary": pairs}
		TYPE_ARRAY:
			var items = []
			for x in v: items.append(show(x, objects, depth + 1))
			return {"Array": items}
		TYPE_RAW_ARRAY: return {"PoolByteArray": v.hex_encode()}
	if typeof(v) in POOLS: return {POOLS[typeof(v)]: pool(v)}
	return maths(v)

# A resource and all resources in it, the main one first.
func show_resource(resource):
	main = resource
	seen = [main]
	var shown = []
	var at = 0
	while at < len(seen):
		var properties = []
		for p in seen[at].get_property_list():
			if p.usage & PROPERTY_USAGE_STORAGE: properties.append([p.name, show(seen[at].get(p.name), false)])
		shown.append({"class": seen[at].get_class(), "properties": properties})
		at += 1
	main = null
	return shown

func f32(x):
	bits.clear()
	bits.put_float(x)
	return bits.data_array.hex_encode()

func f64(x):
	bits.clear()
	bits.put_double(x)
	return bits.data_array.hex_encode()

func text(s):
	return {"str": s.to_utf8().hex_encode()}

func floats(a):
	var r = []
	for x in a: r.append(f32(x))
	return r

func xy(v): return floats([v.x, v.y])
func xyz(v): return floats([v.x, v.y, v.z])
func rgba(v): return floats([v.r, v.g, v.b, v.a])

func axes(b): return {"x": xyz(b.x), "y": xyz(b.y), "z": xyz(b.z)}

func maths(v):
	match typeof(v):
		TYPE_VECTOR2: return {"Vector2": xy(v)}
		TYPE_RECT2: return {"Rect2": xy(v.position) + xy(v.size)}
		TYPE_VECTOR3: return {"Vector3": xyz(v)}
		TYPE_TRANSFORM2D: return {"Transform2D": {"x": xy(v.x), "y": xy(v.y), "origin": xy(v.origin)}}
		TYPE_PLANE: return {"Plane": floats([v.x, v.y, v.z, v.d])}
		TYPE_QUAT: return {"Quat": floats([v.x, v.y, v.z, v.w])}
		TYPE_AABB: return {"AABB": xyz(v.position) + xyz(v.size)}
		TYPE_BASIS: return {"Basis": axes(v)}
		TYPE_COLOR: return {"Color": rgba(v)}
		TYPE_TRANSFORM:
			var r = axes(v.basis)
			r["origin"] = xyz(v.origin)
			return {"Transform": r}

func pool(v):
	var r = []
	for x in v:
		match typeof(v):
			TYPE_INT_ARRAY: r.append(str(x))
			TYPE_REAL_ARRAY: r.append(f32(x))
			TYPE_STRING_ARRAY: r.append(text(x))
			TYPE_VECTOR2_ARRAY: r.append(xy(x))
			TYPE_VECTOR3_ARRAY: r.append(xyz(x))
			TYPE_COLOR_ARRAY: r.append(rgba(x))
	return r

func node_path(v):
	var names = []
	var subnames = []
	for i in range(v.get_name_count()): names.append(text(v.get_name(i)))
	for i in range(v.get_subname_count()): subnames.append(text(v.get_subname(i)))
	return {"absolute": v.is_absolute(), "names": names, "subnames": subnames}

# Another resource: its place among those that are shown, or the path of an external one.
func other_resource(v):
	if v.resource_path != "" and not "::" in v.resource_path: return {"Resource": v.resource_path}
	if not v in seen: seen.append(v)
	return {"Resource": str(seen.find(v))}

func object(v, objects, depth):
	if not is_instance_valid(v): return null
	var r = {"class": v.get_class(), "id": str(v.get_instance_id())}
	if v is EncodedObjectAsID: r["object_id"] = str(v.object_id)
	if objects:
		r["props"] = []
		for p in v.get_property_list():
			if p.usage & PROPERTY_USAGE_STORAGE: r["props"].append([text(p.name), show(v.get(p.name), true, depth + 1)])
	return r
