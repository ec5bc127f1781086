// Problems, above the view that they concern, with what to do about them: notices of requests, and files of the capture
// that cannot be read while the rest of it (or what was there before) is shown; and milder, what was found amiss in
// those that were read, as that a trace was cut, or that the kernel or the pass of a link is gone.
import { useSignal } from "@preact/signals";
import { takeBrokenFiles } from "../../lib/capture-files";
import { parsePlace } from "../../lib/place";
import { useApp } from "../parts/app-context";

export function Banners() {
  const { notices, session, chosen, marks, place } = useApp();
  const mark = marks.newest.value;
  // By text: a file that breaks in another way is told again.
  const dismissed = useSignal<ReadonlySet<string>>(new Set());
  const capture = session.capture.value;
  const isShown = capture !== null && (capture.has_rewrites || capture.has_profile);
  const broken = isShown ? takeBrokenFiles(capture).map((file) => file.error ?? `${file.path} cannot be read`) : [];
  const gone = chosen.gone.value;
  const goneText =
    gone && `The ${gone.kind} ${gone.name} that was here is not in the capture any more: this is another one.`;
  return (
    <>
      {mark !== null && (
        <Banner
          isMild
          text={mark.note}
          where={mark.id === "" ? mark.capture : `${mark.id} of ${mark.capture}`}
          onGo={() => {
            marks.dismiss();
            place.goTo(parsePlace(mark.place));
          }}
          onDismiss={() => marks.dismiss()}
        />
      )}
      {goneText !== null && !dismissed.value.has(goneText) && (
        <Banner isMild text={goneText} onDismiss={() => (dismissed.value = new Set([...dismissed.value, goneText]))} />
      )}
      {broken
        .filter((text) => !dismissed.value.has(text))
        .map((text) => (
          <Banner key={text} text={text} onDismiss={() => (dismissed.value = new Set([...dismissed.value, text]))} />
        ))}
      {isShown && capture.warnings.length > 0 && !dismissed.value.has(capture.warnings.join()) && (
        <Banner
          isMild
          text={capture.warnings[0] ?? ""}
          where={capture.warnings.length > 1 ? `${capture.warnings.length - 1} more in Info` : undefined}
          onDismiss={() => (dismissed.value = new Set([...dismissed.value, capture.warnings.join()]))}
        />
      )}
      {notices.list.value.map(({ topic, problem }) => (
        <Banner key={topic} text={problem.message} where={problem.where} onDismiss={() => notices.clear(topic)} />
      ))}
    </>
  );
}

interface BannerProps {
  text: string;
  where?: string | undefined;
  isMild?: boolean;
  /** Goes to what it tells of. */
  onGo?: () => void;
  onDismiss: () => void;
}

function Banner({ text, where, isMild = false, onGo, onDismiss }: BannerProps) {
  return (
    <div class={isMild ? "banner mild" : "banner"} role={isMild ? "status" : "alert"}>
      <span>{text}</span>
      {where !== undefined && <code>{where}</code>}
      {onGo !== undefined && <button onClick={onGo}>show</button>}
      <button class="quiet" onClick={onDismiss}>
        dismiss
      </button>
    </div>
  );
}
