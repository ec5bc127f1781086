// A dialog over the page: help, palette. Keeps the focus inside while it is open and gives it back when it closes.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface OverlayProps {
  label: string;
  onClose: () => void;
  children: ComponentChildren;
}

export function Overlay({ label, onClose, children }: OverlayProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Before the next key comes: what is typed right after Ctrl+K is the dialog's.
  useLayoutEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class="overlay"
      aria-label={label}
      onCancel={onClose}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      {children}
    </dialog>
  );
}
