// A link between the browser and vizd as an SSH tunnel to another continent is: so long a round trip, so many bits a
// second. Bytes are kept back, never changed.
import { createServer, connect, type Server, type Socket } from "node:net";
import { once } from "node:events";

export interface LinkSpeed {
  roundTrip_ms: number;
  bitsPerSecond: number;
}

export interface SlowLink {
  port: number;
  close(): void;
}

export async function openSlowLink(toPort: number, speed: LinkSpeed): Promise<SlowLink> {
  // All connections share the link, each direction by itself.
  const up = new Direction(speed);
  const down = new Direction(speed);
  const sockets = new Set<Socket>();
  const server: Server = createServer((browser) => {
    const vizd = connect(toPort, "127.0.0.1");
    for (const socket of [browser, vizd]) {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
      socket.on("error", () => {
        browser.destroy();
        vizd.destroy();
      });
    }
    up.carry(browser, vizd);
    down.carry(vizd, browser);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the link has no port");
  return {
    port: address.port,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

class Direction {
  /** When the link has sent all that waits on it. */
  private free_ms = 0;
  private readonly onTheWay: { at_ms: number; act: () => void }[] = [];

  constructor(private readonly speed: LinkSpeed) {}

  carry(from: Socket, to: Socket): void {
    from.on("data", (bytes) => {
      this.free_ms = Math.max(performance.now(), this.free_ms) + (bytes.length * 8000) / this.speed.bitsPerSecond;
      this.after(() => to.write(bytes));
    });
    from.on("end", () => this.after(() => to.end()));
  }

  /** First in, first out: a timer for each would let two of the same millisecond overtake each other. */
  private after(act: () => void): void {
    const at_ms = Math.max(performance.now(), this.free_ms) + this.speed.roundTrip_ms / 2;
    this.onTheWay.push({ at_ms, act });
    if (this.onTheWay.length === 1) this.wait();
  }

  private wait(): void {
    const [first] = this.onTheWay;
    if (first !== undefined) setTimeout(() => this.arrive(), first.at_ms - performance.now());
  }

  private arrive(): void {
    while (this.onTheWay.length > 0 && this.onTheWay[0]!.at_ms <= performance.now()) this.onTheWay.shift()!.act();
    this.wait();
  }
}
