import { runInDurableObject } from "cloudflare:test";
import { withMethods } from "./between.ts";

type Objects<Instance extends Rpc.DurableObjectBranded> = new (state: DurableObjectState, environment: Env) => Instance;

/**
 * A namespace whose objects are the real class on their real storage, in that environment instead of their own.
 * @param onCall told of each call, and of the storage that it has to do with
 */
export function ownObjects<Instance extends Rpc.DurableObjectBranded>(
  namespace: DurableObjectNamespace<Instance>,
  Class: Objects<Instance>,
  environment: Env,
  onCall: (storage: DurableObjectStorage) => void = () => undefined,
): DurableObjectNamespace<Instance> {
  const objects = new Map<string, Instance>();
  return withMethods(namespace, (name, find) => {
    if (name !== "get") return find;
    return (id) => {
      const stub = find(id) as DurableObjectStub<Instance>;
      const key = String(id);
      return withMethods(
        stub,
        (method, call) =>
          (...args) =>
            // A socket has to come from the platform's own instance.
            method === "fetch"
              ? told(stub, onCall).then(() => call(...args))
              : runInDurableObject(stub, (_instance, state) => {
                  onCall(state.storage);
                  const known = objects.get(key) ?? new Class(state, environment);
                  objects.set(key, known);
                  return (Reflect.get(known, method) as (...args: unknown[]) => unknown).apply(known, args);
                }),
      );
    };
  });
}

function told(stub: DurableObjectStub, onCall: (storage: DurableObjectStorage) => void): Promise<void> {
  return runInDurableObject(stub, (_instance, { storage }) => {
    onCall(storage);
  });
}
