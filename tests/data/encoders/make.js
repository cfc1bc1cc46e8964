// Godot Variants as a Node server writes them, from the published page. Tokens in (see make.py), one "rule major name hex" a line out.
"use strict";
const RULES = [
  "none", "wide", "narrow", "double-no-flag", "int64-no-flag", "utf16-length", "no-padding", "undefined-skipped",
  "bigint-big-endian", "prefix-counts-itself", "pad-always", "float32-with-flag", "vector-doubles",
];
const IDS = {
  3: { nil: 0, bool: 1, int: 2, float: 3, str: 4, vec2: 5, rect2: 6, vec3: 7, color: 14, dict: 18, array: 19,
    bytes: 20, ints: 21, floats: 22, strs: 23, vec2s: 24, vec3s: 25, colors: 26 },
  4: { nil: 0, bool: 1, int: 2, float: 3, str: 4, vec2: 5, vec2i: 6, rect2: 7, vec3: 9, vec3i: 10, color: 20, dict: 27,
    array: 28, bytes: 29, ints: 30, floats: 32, strs: 34, vec2s: 35, vec3s: 36, colors: 37 },
};
const FLAG_64 = 1 << 16;

class Writer {
  constructor(major, rule) { this.ids = IDS[major]; this.major = major; this.rule = rule; this.parts = []; }
  u32(n) { const b = Buffer.alloc(4); b.writeUInt32LE(n >>> 0); this.parts.push(b); }
  i32(n) { const b = Buffer.alloc(4); b.writeInt32LE(n); this.parts.push(b); }
  f32(x) { const b = Buffer.alloc(4); b.writeFloatLE(x); this.parts.push(b); }
  f64(x) { const b = Buffer.alloc(8); b.writeDoubleLE(x); this.parts.push(b); }
  real(x) { this.rule === "vector-doubles" ? this.f64(x) : this.f32(x); }
  header(type, flags = 0) { this.u32(this.ids[type] | flags); }
  pad(length) {
    if (this.rule === "no-padding") return;
    const missing = this.rule === "pad-always" ? 4 - (length % 4) : (4 - (length % 4)) % 4;
    this.parts.push(Buffer.alloc(missing));
  }
  text(s) {
    const utf8 = Buffer.from(s, "utf8");
    this.u32(this.rule === "utf16-length" ? s.length : utf8.length);
    this.parts.push(utf8);
    this.pad(utf8.length);
  }
  float(x) {
    if (this.rule === "double-no-flag") { this.header("float"); this.f64(x); }
    else if (this.rule === "narrow" || (this.rule !== "wide" && Math.fround(x) === x)) { this.header("float"); this.f32(x); }
    else if (this.rule === "float32-with-flag") { this.header("float", FLAG_64); this.f32(x); }
    else { this.header("float", FLAG_64); this.f64(x); }
  }
  int(text) {
    const n = BigInt(text);
    if (n === BigInt.asIntN(32, n)) { this.header("int"); this.i32(Number(n)); return; }
    this.header("int", this.rule === "int64-no-flag" ? 0 : FLAG_64);
    const b = Buffer.alloc(8);
    this.rule === "bigint-big-endian" ? b.writeBigInt64BE(n) : b.writeBigInt64LE(n);
    this.parts.push(b);
  }
  value(lines) {
    const line = lines.shift();
    const space = line.indexOf(" ");
    const type = space < 0 ? line : line.slice(0, space);
    const rest = space < 0 ? "" : line.slice(space + 1);
    const numbers = () => rest.split(" ").filter((part) => part).map(Number);
    switch (type) {
      case "nil": case "nostr": if (this.rule !== "undefined-skipped") this.header("nil"); break;
      case "bool": this.header("bool"); this.u32(Number(rest)); break;
      case "int": this.int(rest); break;
      case "float": this.float(Number(rest)); break;
      case "str": this.header("str"); this.text(rest); break;
      case "vec2": case "vec3": case "rect2": case "color":
        this.header(type); for (const x of numbers()) this.real(x); break;
      case "vec2i": case "vec3i": this.header(type); for (const n of numbers()) this.i32(n); break;
      case "dict": this.header(type); this.u32(Number(rest)); for (let i = 0; i < 2 * Number(rest); i++) this.value(lines); break;
      case "array": this.header(type); this.u32(Number(rest)); for (let i = 0; i < Number(rest); i++) this.value(lines); break;
      case "bytes": { const b = Buffer.from(rest, "hex"); this.header(type); this.u32(b.length); this.parts.push(b); this.pad(b.length); break; }
      case "strs": { this.header(type); this.u32(Number(rest)); for (let i = 0; i < Number(rest); i++) this.text(lines.shift().slice(4) + "\0"); break; }
      case "ints": { const n = numbers(); this.header(type); this.u32(n.length); for (const x of n) this.i32(x); break; }
      case "floats": { const n = numbers(); this.header(type); this.u32(n.length); for (const x of n) this.f32(x); break; }
      case "vec2s": case "vec3s": case "colors": {
        const n = numbers(), each = { vec2s: 2, vec3s: 3, colors: 4 }[type];
        this.header(type); this.u32(n.length / each); for (const x of n) this.real(x); break;
      }
      default: throw new Error(line);
    }
  }
}

const payloads = require("fs").readFileSync(0, "utf8").split("\npayload ").map((part) => part.replace(/^payload /, ""));
for (const rule of RULES) for (const payload of payloads) {
  const [title, ...lines] = payload.trimEnd().split("\n");
  const [major, name] = title.split(" ");
  const writer = new Writer(Number(major), rule);
  writer.value(lines);
  const bare = Buffer.concat(writer.parts);
  const prefix = Buffer.alloc(4);
  prefix.writeUInt32LE(bare.length + (rule === "prefix-counts-itself" ? 4 : 0));
  console.log(rule, major, name, Buffer.concat([prefix, bare]).toString("hex"));
}
