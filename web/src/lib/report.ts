// A report: the page as one file, with the answers that it needs packed beside it (vizd export --page), for those who
// have no vizd to ask. It answers requests in the server's place, and says so of what it does not have; no request
// leaves. Packs are gzip in base64, unpacked when something of theirs is first asked for.
import { Kept } from "./kept";

/** The index (server/http/report/report_page.cpp): of each pack its answers, in the order in which they lie there. */
interface WireIndex {
  version: string;
  left_out: string[];
  packs: [question: string, status: number, type: string, bytes: number][][];
}

interface Place {
  pack: number;
  from: number;
  bytes: number;
  status: number;
  type: string;
}

export interface Report {
  version: string;
  /** The parts of the capture that are not in it, in words. */
  leftOut: readonly string[];
  /** Whether it has the answer to a path. */
  has(path: string): boolean;
  fetch(path: string, init: RequestInit): Promise<Response>;
}

/** The answer's kind where a report has none. */
export const kNotInReport = "not_in_report";
const kSays = "This is not in this report. Open the capture itself with vizd to see it.";
const kKeptPacks = 12;

/** Questions of which the answer about the whole serves for a part: what lies outside is not seen. */
const kServedByWhole = /^\/api\/v1\/(?:idle|critical-path|memory\/[^/]+\/\d+)$/;
const kPart = new Set(["from", "to", "from_ns", "to_ns", "width", "height", "least_ns", "limit"]);

/** A path with its parameters in order, as the index names it. A report has one capture: its name says nothing. */
export function nameQuestion(path: string): string {
  const mark = path.indexOf("?");
  if (mark < 0) return path;
  const at = path.slice(0, mark);
  const isPart = (name: string) => kServedByWhole.test(at) && kPart.has(name);
  const fields = [...new URLSearchParams(path.slice(mark + 1))]
    .filter(([name]) => name !== "capture" && !isPart(name))
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return fields.length === 0 ? at : `${at}?${fields.map(([name, value]) => `${name}=${value}`).join("&")}`;
}

/** textOf: the text of the page's element of that id, null where there is none. Null where the page is no report. */
export async function openReport(textOf: (id: string) => string | null): Promise<Report | null> {
  const packedIndex = textOf("vizd-index");
  if (packedIndex === null) return null;
  const index = JSON.parse(new TextDecoder().decode(await unpack(packedIndex))) as WireIndex;
  const places = listPlaces(index);
  const kept = new Kept<Promise<Uint8Array>>(kKeptPacks);
  const packOf = (pack: number): Promise<Uint8Array> => {
    let bytes = kept.get(String(pack));
    if (bytes === undefined) kept.put(String(pack), (bytes = unpack(textOf(`vizd-pack-${pack}`) ?? "")));
    return bytes;
  };
  const find = (path: string) => places.get(nameQuestion(path));
  return {
    version: index.version,
    leftOut: index.left_out,
    has: (path) => find(path)?.status === 200,
    async fetch(path, { method, signal }) {
      const place = method === "POST" ? undefined : find(path);
      if (place === undefined) return refuse(path);
      const pack = await packOf(place.pack);
      signal?.throwIfAborted();
      const body = pack.slice(place.from, place.from + place.bytes);
      return new Response(body, { status: place.status, headers: { "Content-Type": place.type } });
    },
  };
}

function listPlaces({ packs }: WireIndex): Map<string, Place> {
  const places = new Map<string, Place>();
  packs.forEach((answers, pack) => {
    let from = 0;
    for (const [question, status, type, bytes] of answers) {
      if (!places.has(question)) places.set(question, { pack, from, bytes, status, type });
      from += bytes;
    }
  });
  return places;
}

function refuse(path: string): Response {
  const error = { kind: kNotInReport, message: kSays, where: path };
  return new Response(JSON.stringify({ error }), { status: 404 });
}

async function unpack(base64: string): Promise<Uint8Array<ArrayBuffer>> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
