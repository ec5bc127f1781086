// The rooms that there is something in, as tabs; those that there is no room for are in a menu at their end. Rooms in
// which something is looked up stand by themselves, small. And the views of the room on screen, where it has several,
// in a row of their own under the bar.
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useApp, useCommand } from "../parts/app-context";
import { KeyCap } from "../parts/key-cap";
import { Menu } from "../parts/menu";
import type { Room } from "../view";
import { chooseView, listSuitedRooms } from "./listed-views";
import type { OpenedViews } from "./opened-views";

interface RoomTabsProps {
  opened: OpenedViews;
}

/** How many tabs stand in the bar's one row: what does not fit is wrapped below it, where it is not seen. */
function useFitting(titles: string) {
  const nav = useRef<HTMLElement>(null);
  const fitting = useSignal(Infinity);
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
  return { nav, fitting: fitting.value };
}

export function RoomTabs({ opened }: RoomTabsProps) {
  const app = useApp();
  const open = useSignal(false);
  const rooms = listSuitedRooms(app).filter((room) => !room.isAside);
  const { nav, fitting } = useFitting(rooms.map(({ id }) => id).join(" "));
  const shown = chooseView(app);
  const rest = rooms.slice(fitting === Infinity ? rooms.length : fitting);
  const isShown = (room: Room) => shown !== null && room.views.includes(shown);
  const current = rest.find(isShown);
  const go = (room: Room) => {
    open.value = false;
    app.place.goToView(opened.viewOf(room).id);
  };
  const tab = (room: Room, style: string) => (
    <button key={room.id} class={style} aria-current={isShown(room) ? "page" : undefined} onClick={() => go(room)}>
      {room.title}
    </button>
  );
  return (
    <>
      <nav aria-label="Rooms" ref={nav}>
        {rooms.map((room, i) => tab(room, i < fitting ? "tab" : "tab tab-beyond"))}
      </nav>
      {rest.length > 0 && (
        <Menu open={open} label={`${current?.title ?? "More"} ▾`} title="More rooms" isOn={current !== undefined}>
          <div class="view-list">{rest.map((room) => tab(room, "tab"))}</div>
        </Menu>
      )}
    </>
  );
}

/** The rooms to look something up in. */
export function AsideTabs({ opened }: RoomTabsProps) {
  const app = useApp();
  const shown = chooseView(app);
  const rooms = listSuitedRooms(app).filter((room) => room.isAside);
  return rooms.length === 0 ? null : (
    <nav class="aside-tabs" aria-label="To look up">
      {rooms.map((room) => (
        <button
          key={room.id}
          class="tab"
          aria-current={shown !== null && room.views.includes(shown) ? "page" : undefined}
          onClick={() => app.place.goToView(opened.viewOf(room).id)}
        >
          {room.title}
        </button>
      ))}
    </nav>
  );
}

/** The views of the room on screen. */
export function ViewTabs({ opened }: RoomTabsProps) {
  const app = useApp();
  const shown = chooseView(app);
  const room = listSuitedRooms(app).find(({ views }) => shown !== null && views.includes(shown));
  const views = room === undefined ? [] : opened.offeredOf(room);
  const step = (by: 1 | -1) => {
    if (shown === null || views.length < 2) return false;
    app.place.goToView(views[(views.indexOf(shown) + by + views.length) % views.length]!.id);
    return true;
  };
  useCommand("page.nextView", () => step(1));
  useCommand("page.previousView", () => step(-1));
  if (room === undefined || views.length < 2) return null;
  return (
    <nav class="view-tabs" aria-label="Views">
      {views.map((view) => (
        <button
          key={view.id}
          class="tab"
          aria-current={view === shown ? "page" : undefined}
          onClick={() => app.place.goToView(view.id)}
        >
          {view.tab ?? view.title}
        </button>
      ))}
      <KeyCap command="page.nextView" />
    </nav>
  );
}
