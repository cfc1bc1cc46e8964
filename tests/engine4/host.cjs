// Runs the web build of Godot without a browser: node host.cjs ENGINE_FOLDER PROJECT_FOLDER
//
// Standard input brings one request a line, standard output one answer a line. Where the engine expects a page, it gets
// objects that do nothing: with --headless it draws nothing and listens to nothing.
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const vm = require("node:vm");
const { webcrypto } = require("node:crypto");

const [engineFolder, projectFolder] = process.argv.slice(2);
const STDIN = 0;
const STDOUT = 1;
const BLOCK = 65536; // bytes read at once

const nothing = () => {};
const listener = { addEventListener: nothing, removeEventListener: nothing, dispatchEvent: nothing };
let messages = [];

/** The lines of standard input, read when they are asked for: the engine waits meanwhile. */
class Lines {
  waiting = Buffer.alloc(0);

  /** The next line, or null at the end. */
  next() {
    const parts = [];
    for (;;) {
      const end = this.waiting.indexOf("\n");
      if (end !== -1) {
        parts.push(this.waiting.subarray(0, end));
        this.waiting = this.waiting.subarray(end + 1);
        return Buffer.concat(parts).toString("utf8");
      }
      parts.push(this.waiting);
      this.waiting = this.more();
      if (this.waiting === null) return null;
    }
  }

  more() {
    const block = Buffer.alloc(BLOCK);
    for (;;) {
      try {
        const count = fs.readSync(STDIN, block);
        return count === 0 ? null : block.subarray(0, count);
      } catch (error) {
        if (error.code === "EOF") return null; // Windows says the end of a pipe so
        if (error.code !== "EAGAIN") throw error;
      }
    }
  }
}

/** Write a whole text: a pipe may take only some of it. */
function send(text) {
  let bytes = Buffer.from(text, "utf8");
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(fs.writeSync(STDOUT, bytes));
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

/** An element of the page: the canvas, mostly. */
function element() {
  const box = { x: 0, y: 0, width: 1, height: 1, top: 0, left: 0 };
  return {
    ...listener, style: {}, width: 1, height: 1, getContext: () => null, getBoundingClientRect: () => box,
    focus: nothing, remove: nothing, appendChild: nothing, setAttribute: nothing,
  };
}

/** What index.js knows as `window`, with the two calls that ask.gd makes. */
function makeWindow() {
  const lines = new Lines();
  const testHost = {
    take() {
      messages = [];
      return lines.next();
    },
    give(answer) {
      // the engine's JSON may hold bare control signs, so it goes as a text inside ours
      send(JSON.stringify({ answer, messages }) + "\n");
    },
  };
  return {
    ...listener, testHost, console, performance, setTimeout, clearTimeout, URL, TextDecoder, TextEncoder,
    WebAssembly, crypto: webcrypto, devicePixelRatio: 1, location: { href: "" },
    document: { ...listener, currentScript: { src: "" }, body: element(), createElement: element },
    navigator: { userAgent: "", platform: "", languages: ["en"], getGamepads: () => [] },
    matchMedia: () => ({ matches: false, ...listener }),
    requestAnimationFrame: (call) => setTimeout(call, 0),
    alert: (text) => die(`alert: ${text}`),
  };
}

/** The engine's constructor. Its script gets a world of its own: one with Node's objects it would refuse. */
function loadEngine() {
  const world = vm.createContext(makeWindow());
  vm.runInContext("var window = globalThis", world);
  const script = path.join(engineFolder, "index.js");
  return vm.runInContext(`${fs.readFileSync(script, "utf8")}\nGodot;`, world, { filename: script });
}

function die(text) {
  fs.writeSync(2, `${text}\n${messages.join("\n")}\n`);
  process.exit(3);
}

async function main() {
  const program = fs.readFileSync(path.join(engineFolder, "index.wasm"));
  const engine = await loadEngine()({
    thisProgram: "godot",
    locateFile: (name) => name,
    print: nothing,
    printErr: (line) => messages.push(line),
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(program, imports).then((made) => done(made.instance, made.module), die);
      return {};
    },
  });
  await engine.initFS([]);
  engine.initConfig({ canvas: element(), canvasResizePolicy: 0, locale: "en", onExit: (code) => process.exit(code) });
  for (const name of fs.readdirSync(projectFolder)) {
    engine.copyToFS(`/${name}`, fs.readFileSync(path.join(projectFolder, name)));
  }
  engine.callMain(["--headless"]);
}

main().catch((error) => die(error?.stack ?? error));
