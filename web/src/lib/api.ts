// Requests to the server that the page came from. Every answer is a Result; nothing throws. A token, where one is
// given, goes along as a Bearer header, for browsers that keep no cookie; the server answers it with its cookie. Where
// the server has too much to do and says when to come again, whatever is asked for is asked for again then. In a report
// there is no server: what stands in the page answers (lib/report.ts).
import type { Report } from "./report";
import { fail, succeed, type Problem, type Result } from "./result";

export interface Api {
  /** The report that answers in the server's place; none where there is a server. */
  report?: Report;
  getJson<T>(path: string, signal?: AbortSignal): Promise<Result<T>>;
  getText(path: string, signal?: AbortSignal): Promise<Result<string>>;
  getBytes(path: string, signal?: AbortSignal): Promise<Result<ArrayBuffer>>;
  /** Sends bytes by POST; the answer is JSON. */
  sendBytes<T>(path: string, bytes: Blob): Promise<Result<T>>;
  /** The body as it arrives, for server-sent events (lib/sse.ts). Abort the signal to close it. */
  openStream(path: string, signal: AbortSignal): Promise<Result<ReadableStream<Uint8Array>>>;
}

type Fetch = (path: string, init: RequestInit) => Promise<Response>;

const kDenied = "This vizd wants its token: open the URL that it printed when it started.";
const kOffline = "vizd does not answer. Is it still running, and the tunnel up?";

const kBusyStatus = 503;
/** A store that is away is told of at once: its views ask again themselves. */
const kOfStores = "/api/v1/fleet/";
/** From then on the answer that the server is busy is the answer. */
const kPatience_ms = 60_000;

/** Ends at once where the signal says so. */
function pause(time_ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, time_ms);
    signal?.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}

/** A report's requests: it has all that it will ever have. */
export function createReportApi(report: Report): Api {
  return { ...createApi(null, (path, init) => report.fetch(path, init)), report };
}

export function createApi(token: string | null, fetchFn: Fetch = (path, init) => fetch(path, init)): Api {
  const headers: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` };

  async function fetchOnceFree(path: string, init: RequestInit, signal: AbortSignal | undefined): Promise<Response> {
    const end_ms = Date.now() + kPatience_ms;
    for (;;) {
      const response = await fetchFn(path, init);
      const wait_ms = 1000 * Number(response.headers.get("Retry-After") ?? NaN);
      const isAgain = response.status === kBusyStatus && init.method !== "POST" && !path.startsWith(kOfStores);
      if (!isAgain || !(Date.now() + wait_ms < end_ms)) return response;
      await response.body?.cancel();
      await pause(wait_ms, signal);
    }
  }

  async function get<T>(
    path: string,
    signal: AbortSignal | undefined,
    read: (r: Response) => Promise<T>,
    more: RequestInit = {},
  ): Promise<Result<T>> {
    try {
      const asked = { headers: { ...headers, ...more.headers }, credentials: "same-origin", signal: signal ?? null };
      const response = await fetchOnceFree(path, { ...more, ...asked } as RequestInit, signal);
      if (!response.ok) return { ok: false, error: await readProblem(response, path) };
      return succeed(await read(response));
    } catch (error) {
      if (signal?.aborted) return fail("aborted", "The request was given up.", path);
      if (error instanceof SyntaxError) return fail("protocol", `The answer is not JSON: ${error.message}`, path);
      return fail("offline", kOffline, path);
    }
  }

  return {
    getJson: <T>(path: string, signal?: AbortSignal) => get(path, signal, (r) => r.json() as Promise<T>),
    getText: (path, signal) => get(path, signal, (r) => r.text()),
    getBytes: (path, signal) => get(path, signal, (r) => r.arrayBuffer()),
    sendBytes: <T>(path: string, bytes: Blob) =>
      get(path, undefined, (r) => r.json() as Promise<T>, {
        method: "POST",
        body: bytes,
        headers: { "Content-Type": "application/octet-stream" },
      }),
    // Proxies buffer the answer if another type is accepted.
    openStream: (path, signal) => get(path, signal, readStream, { headers: { Accept: "text/event-stream" } }),
  };
}

async function readStream(response: Response): Promise<ReadableStream<Uint8Array>> {
  if (response.body === null) throw new SyntaxError("it has no body");
  return response.body;
}

/** `{"error": {"kind", "message", "where"}}` where the server sent that, else what the status says. */
async function readProblem(response: Response, path: string): Promise<Problem> {
  if (response.status === 401) return { kind: "denied", message: kDenied };
  try {
    const body = (await response.json()) as { error?: Partial<Problem> };
    if (typeof body.error?.message === "string") {
      return { kind: body.error.kind ?? "internal", message: body.error.message, where: body.error.where ?? path };
    }
  } catch {
    // Not JSON: a proxy's page, or the guard's text. The status is what there is.
  }
  return { kind: `http_${response.status}`, message: `The server answered ${response.status}.`, where: path };
}

/** The path with one more parameter of its query. */
export function withParameter(path: string, name: string, value: string): string {
  return `${path}${path.includes("?") ? "&" : "?"}${name}=${encodeURIComponent(value)}`;
}

/** Adds `capture` to an API path, so that the answer is of that capture where several are open. */
export function pathOfCapture(path: string, captureId: string): string {
  return withParameter(path, "capture", captureId);
}
