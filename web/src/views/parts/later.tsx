// A component whose code comes when it is first drawn, so that the first paint does not pay for it.
import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";

export function later<Props extends object>(bring: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const brought = signal<ComponentType<Props> | null>(null);
  const isLost = signal(false);
  return function Later(props: Props) {
    useEffect(() => {
      if (brought.peek() !== null) return;
      void bring().then(
        (component) => (brought.value = component),
        () => (isLost.value = true),
      );
    }, []);
    if (isLost.value) return <p class="removed note">This part did not load: reload the page.</p>;
    const Shown = brought.value;
    return Shown === null ? null : <Shown {...props} />;
  };
}
