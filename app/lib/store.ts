interface Store<Value> {
  get(): Value;
  set(value: Value): void;
  /** @returns a function that unsubscribes */
  subscribe(listener: () => void): () => void;
}

/** A value outside React. Components read the value through `useSyncExternalStore`. */
export function createStore<Value>(value: Value): Store<Value> {
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
