// What went wrong, above the view it concerns, with what to do about it.
import { useApp } from "./app-context";

export function Banners() {
  const { notices } = useApp();
  return (
    <>
      {notices.list.value.map(({ topic, problem }) => (
        <div key={topic} class="banner" role="alert">
          <span>{problem.message}</span>
          {problem.where !== undefined && <code>{problem.where}</code>}
          <button class="quiet" onClick={() => notices.clear(topic)}>
            dismiss
          </button>
        </div>
      ))}
    </>
  );
}
