// How the components of a view reach the view's own state.
import { createContext, h, type ComponentType } from "preact";
import { useContext } from "preact/hooks";

export interface StateContext<State> {
  /** The component with the state for all that it draws. */
  provide(state: State, Shown: ComponentType): ComponentType;
  useState(): State;
}

export function createStateContext<State>(): StateContext<State> {
  const Context = createContext<State | null>(null);
  return {
    provide(state, Shown) {
      return () => h(Context.Provider, { value: state }, h(Shown, {}));
    },
    useState() {
      const state = useContext(Context);
      if (state === null) throw new Error("a part of a view is drawn outside of it");
      return state;
    },
  };
}
