// A vizd started to be measured: what it answers, in bytes as they cross the wire and in milliseconds, and its memory.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import http from "node:http";
import { createInterface } from "node:readline";

export class VizdProcess {
  /** Resolves once the server listens. environment is added to this process's own. */
  static async start(vizd, args, environment = {}) {
    const started = performance.now();
    const server = spawn(vizd, ["--port", "0", "--no-token", "--log-level", "error", ...args], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, ...environment },
    });
    const [line] = await once(createInterface(server.stdout), "line");
    return new VizdProcess(server, new URL(line), started);
  }

  constructor(server, base, started) {
    this.server = server;
    this.base = base;
    /** When it was started, by performance.now(). */
    this.started = started;
  }

  /** Fetches path without unpacking it: bytes, milliseconds to the first of them and to the last. */
  weigh(path, encoding, limitMs) {
    return new Promise((resolve, reject) => {
      const from = performance.now();
      const request = http.get(new URL(path, this.base), { headers: { "Accept-Encoding": encoding } }, (response) => {
        let bytes = 0;
        let first = 0;
        const finish = (whole) =>
          resolve({
            bytes,
            firstMs: first - from,
            totalMs: performance.now() - from,
            whole,
            status: response.statusCode,
          });
        const timer = limitMs ? setTimeout(() => (request.destroy(), finish(false)), limitMs) : undefined;
        response.on("data", (chunk) => {
          if (bytes === 0) first = performance.now();
          bytes += chunk.length;
        });
        response.on("end", () => (clearTimeout(timer), finish(true)));
        response.on("error", () => {});
      });
      request.on("error", reject);
    });
  }

  async getJson(path) {
    const response = await fetch(new URL(path, this.base));
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }

  /** VmRSS, the memory it has now, or VmHWM, the most it had, in megabytes. */
  async memoryMb(field) {
    const status = await readFile(`/proc/${this.server.pid}/status`, "utf8");
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)[1]) / 1024;
  }

  /** Seconds that its threads have run, in it and in the system for it. */
  async cpuS() {
    const ticksPerSecond = 100; // what Linux tells of in /proc
    const fields = (await readFile(`/proc/${this.server.pid}/stat`, "utf8")).split(") ")[1].split(" ");
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  }

  async stop() {
    this.server.kill("SIGTERM");
    if (this.server.exitCode === null) await once(this.server, "exit");
  }
}
