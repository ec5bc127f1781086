// A drawing as SVG: what the graph's drawing asks of a 2D canvas, written down instead of painted. So a picture that is
// taken away is drawn by the same code as the one on screen, and stays sharp and searchable.

/** The part of a canvas's context that drawings here use. */
export type Brush = Pick<
  CanvasRenderingContext2D,
  | "fillStyle"
  | "strokeStyle"
  | "lineWidth"
  | "globalAlpha"
  | "font"
  | "textAlign"
  | "textBaseline"
  | "beginPath"
  | "moveTo"
  | "lineTo"
  | "bezierCurveTo"
  | "rect"
  | "roundRect"
  | "fill"
  | "stroke"
  | "fillRect"
  | "fillText"
  | "measureText"
  | "setLineDash"
>;

/** measure: the width of a text in a font, in pixels. */
export class SvgContext implements Brush {
  fillStyle: Brush["fillStyle"] = "#000000";
  strokeStyle: Brush["strokeStyle"] = "#000000";
  lineWidth = 1;
  globalAlpha = 1;
  font = "10px sans-serif";
  textAlign: CanvasTextAlign = "left";
  textBaseline: CanvasTextBaseline = "alphabetic";
  readonly #measure: (text: string, font: string) => TextMetrics;
  readonly #parts: string[] = [];
  #path: string[] = [];
  #dash: number[] = [];

  constructor(measure: (text: string, font: string) => TextMetrics) {
    this.#measure = measure;
  }

  beginPath(): void {
    this.#path = [];
  }
  moveTo(x: number, y: number): void {
    this.#path.push(`M${round(x)} ${round(y)}`);
  }
  lineTo(x: number, y: number): void {
    this.#path.push(`L${round(x)} ${round(y)}`);
  }
  bezierCurveTo(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void {
    this.#path.push(`C${[x1, y1, x2, y2, x, y].map(round).join(" ")}`);
  }
  rect(x: number, y: number, w: number, h: number): void {
    this.#path.push(`M${round(x)} ${round(y)}h${round(w)}v${round(h)}h${round(-w)}z`);
  }
  roundRect(x: number, y: number, w: number, h: number, radii: Parameters<Brush["roundRect"]>[4] = 0): void {
    const r = Math.min(typeof radii === "number" ? radii : 0, w / 2, h / 2);
    const corner = (dx: number, dy: number) => `a${round(r)} ${round(r)} 0 0 1 ${round(dx)} ${round(dy)}`;
    const start = `M${round(x + r)} ${round(y)}h${round(w - 2 * r)}${corner(r, r)}v${round(h - 2 * r)}`;
    this.#path.push(
      `${start}${corner(-r, r)}h${round(2 * r - w)}${corner(-r, -r)}v${round(2 * r - h)}${corner(r, -r)}z`,
    );
  }
  fill(): void {
    if (this.#path.length === 0) return;
    this.#parts.push(`<path d="${this.#path.join("")}" fill="${escape(this.fillStyle)}"${this.#opacity()}/>`);
  }
  stroke(): void {
    if (this.#path.length === 0) return;
    const dash = this.#dash.length === 0 ? "" : ` stroke-dasharray="${this.#dash.map(round).join(" ")}"`;
    const line = `stroke="${escape(this.strokeStyle)}" stroke-width="${round(this.lineWidth)}"${dash}`;
    this.#parts.push(`<path d="${this.#path.join("")}" fill="none" ${line}${this.#opacity()}/>`);
  }
  fillRect(x: number, y: number, w: number, h: number): void {
    const box = `x="${round(x)}" y="${round(y)}" width="${round(w)}" height="${round(h)}"`;
    this.#parts.push(`<rect ${box} fill="${escape(this.fillStyle)}"${this.#opacity()}/>`);
  }
  fillText(text: string, x: number, y: number): void {
    const baseline = { middle: "central", top: "text-before-edge" }[this.textBaseline as string];
    const place = `x="${round(x)}" y="${round(y)}"${baseline === undefined ? "" : ` dominant-baseline="${baseline}"`}`;
    const look = `${fontAttributes(this.font)} fill="${escape(this.fillStyle)}"${this.#opacity()}`;
    this.#parts.push(`<text ${place} ${look} xml:space="preserve">${escape(text)}</text>`);
  }
  measureText(text: string): TextMetrics {
    return this.#measure(text, this.font);
  }
  setLineDash(segments: Iterable<number>): void {
    this.#dash = [...segments];
  }

  /** All that was drawn, as a document that shows this part of it on a ground of that colour. */
  toSvg(box: { x: number; y: number; w: number; h: number }, ground: string, title: string): string {
    const size = `width="${round(box.w)}" height="${round(box.h)}"`;
    const view = `viewBox="${[box.x, box.y, box.w, box.h].map(round).join(" ")}"`;
    const back = `<rect x="${round(box.x)}" y="${round(box.y)}" ${size} fill="${escape(ground)}"/>`;
    const head = `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${view}><title>${escape(title)}</title>`;
    return `${head}${back}\n${this.#parts.join("\n")}\n</svg>\n`;
  }

  #opacity(): string {
    return this.globalAlpha === 1 ? "" : ` opacity="${round(this.globalAlpha)}"`;
  }
}

/** "bold 12px mono, serif" as attributes, which pages may show where they forbid styles. */
function fontAttributes(font: string): string {
  const [, weight, size, family] = /^(?:(bold|\d+) )?([\d.]+)px (.*)$/.exec(font) ?? [];
  const bold = weight === undefined ? "" : ` font-weight="${weight}"`;
  return `font-family="${escape(family ?? "monospace")}" font-size="${round(Number(size ?? 10))}"${bold}`;
}

function round(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** As text or attribute of XML, which has no room for control characters at all. */
function escape(text: unknown): string {
  return String(text)
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
