// A button that opens a small panel under it; a press elsewhere or Escape closes it.
import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface MenuProps {
  open: Signal<boolean>;
  label: ComponentChildren;
  title: string;
  isOn?: boolean;
  children: ComponentChildren;
}

export function Menu({ open, label, title, isOn = false, children }: MenuProps) {
  const box = useRef<HTMLDivElement>(null);
  // A layout effect: the keys are the panel's exactly as long as it is there, not until the next frame.
  useLayoutEffect(() => {
    if (!open.value) return;
    const close = (event: Event) => {
      if (event instanceof KeyboardEvent ? event.key !== "Escape" : box.current?.contains(event.target as Node)) return;
      if (event instanceof KeyboardEvent) event.stopPropagation();
      open.value = false;
    };
    document.addEventListener("pointerdown", close);
    document.addEventListener("keydown", close, { capture: true });
    box.current?.querySelector<HTMLElement>(".menu-panel input, .menu-panel button")?.focus();
    return () => {
      document.removeEventListener("pointerdown", close);
      document.removeEventListener("keydown", close, { capture: true });
    };
  }, [open.value, open]);
  return (
    <div class="menu" ref={box}>
      <button
        class={isOn ? "pill on" : "pill"}
        aria-expanded={open.value}
        title={title}
        onClick={() => (open.value = !open.value)}
      >
        {label}
      </button>
      {open.value && (
        <div class="menu-panel" role="dialog" aria-label={title}>
          {children}
        </div>
      )}
    </div>
  );
}
