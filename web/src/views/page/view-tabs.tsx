// The views that there is something for, as tabs; those that there is no room for are in a menu at their end.
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useApp } from "../parts/app-context";
import { Menu } from "../parts/menu";
import { chooseView, listSuitedViews } from "./listed-views";

export function ViewTabs() {
  const app = useApp();
  const { place } = app;
  const nav = useRef<HTMLElement>(null);
  const open = useSignal(false);
  // How many tabs stand in the bar's one row: what does not fit is wrapped below it, where it is not seen.
  const fitting = useSignal(Infinity);
  const suiting = listSuitedViews(app);
  const titles = suiting.map(({ id }) => id).join(" ");
  useLayoutEffect(() => {
    const element = nav.current!;
    const measure = () => {
      const tabs = [...element.querySelectorAll<HTMLElement>(".tab")];
      const top = tabs[0]?.offsetTop ?? 0;
      const first = tabs.findIndex((tab) => tab.offsetTop > top);
      fitting.value = first < 0 ? Infinity : first;
    };
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    measure();
    return () => watch.disconnect();
  }, [titles, fitting]);
  const shown = chooseView(app);
  const rest = suiting.slice(fitting.value === Infinity ? suiting.length : fitting.value);
  const current = rest.find((view) => view === shown);
  const go = (id: string) => {
    open.value = false;
    place.goToView(id);
  };
  return (
    <>
      <nav aria-label="Views" ref={nav}>
        {suiting.map((view, i) => (
          <button
            key={view.id}
            class={i < fitting.value ? "tab" : "tab tab-beyond"}
            aria-current={view === shown ? "page" : undefined}
            onClick={() => go(view.id)}
          >
            {view.title}
          </button>
        ))}
      </nav>
      {rest.length > 0 && (
        <Menu open={open} label={`${current?.title ?? "More"} ▾`} title="More views" isOn={current !== undefined}>
          <div class="view-list">
            {rest.map((view) => (
              <button
                key={view.id}
                class="tab"
                aria-current={view === shown ? "page" : undefined}
                onClick={() => go(view.id)}
              >
                {view.title}
              </button>
            ))}
          </div>
        </Menu>
      )}
    </>
  );
}
