// A text of any length, all of it in the page, so that it can be selected, copied and searched by the browser; but cut
// into chunks of which the browser lays out only those on screen (content-visibility), and coloured when they come
// near.
import { useMemo } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { cutIntoChunks, type Language } from "../../lib/highlight";
import { Code } from "./code";

const kChunkLines = 100;
const kLine_px = 18;

export function LongText({ text, language }: { text: string; language: Language }) {
  const chunks = useMemo(() => cutIntoChunks(text, kChunkLines), [text]);
  return (
    <div class="long-text" data-scrolls tabIndex={0}>
      {chunks.map((chunk, i) => (
        <Chunk key={i} text={chunk.text} lines={chunk.lines} language={language} />
      ))}
    </div>
  );
}

function Chunk({ text, lines, language }: { text: string; lines: number; language: Language }) {
  const box = useRef<HTMLPreElement>(null);
  const isNear = useSignal(language === "plain");
  useEffect(() => {
    if (isNear.value) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) {
          isNear.value = true;
          observer.disconnect();
        }
      },
      { rootMargin: "600px" },
    );
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, [isNear]);
  return (
    <pre ref={box} style={{ containIntrinsicSize: `auto ${lines * kLine_px}px` }}>
      {isNear.value && language !== "plain" ? <Code text={text} language={language} /> : text}
    </pre>
  );
}
