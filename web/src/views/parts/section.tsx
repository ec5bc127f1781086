// A part of the inspector under a small heading.
import type { ComponentChildren } from "preact";

interface SectionProps {
  title: string;
  /** Right of the title. */
  note?: ComponentChildren;
  children: ComponentChildren;
}

export function Section({ title, note, children }: SectionProps) {
  return (
    <section class="section">
      <header>
        <h2>{title}</h2>
        {note !== undefined && <span class="section-note">{note}</span>}
      </header>
      {children}
    </section>
  );
}
