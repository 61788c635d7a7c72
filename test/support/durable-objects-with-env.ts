import { runInDurableObject } from "cloudflare:test";
import { wrapMethods } from "./query-interceptor.ts";

type DurableObjectClass<Instance extends Rpc.DurableObjectBranded> = new (
  state: DurableObjectState,
  environment: Env,
) => Instance;

/**
 * A namespace whose objects run the real class on the real storage, but with the given environment.
 * @param onCall runs before each call
 */
export function namespaceWithEnv<Instance extends Rpc.DurableObjectBranded>(
  namespace: DurableObjectNamespace<Instance>,
  Class: DurableObjectClass<Instance>,
  environment: Env,
  onCall: (storage: DurableObjectStorage) => void = () => undefined,
): DurableObjectNamespace<Instance> {
  const objects = new Map<string, { storage: DurableObjectStorage; instance: Instance }>();
  return wrapMethods(namespace, (name, find) => {
    if (name !== "get") return find;
    return (id) => {
      const stub = find(id) as DurableObjectStub<Instance>;
      const key = String(id);
      return wrapMethods(stub, (method, call) => async (...args) => {
        // Only the platform's own instance can accept a socket.
        if (method === "fetch" && (args[0] as Request).headers.get("upgrade") === "websocket") {
          await callWithStorage(stub, onCall);
          return call(...args);
        }
        // An instance made here cannot read the stream of a body that came from elsewhere.
        const body = method === "fetch" ? await (args[0] as Request).arrayBuffer() : null;
        return runInDurableObject(stub, (_instance, state) => {
          onCall(state.storage);
          const known = objects.get(key);
          const { storage } = state;
          // The platform may have evicted the object: then its old storage is void.
          const instance = known?.storage === storage ? known.instance : new Class(state, environment);
          objects.set(key, { storage, instance });
          const handed = body === null ? args : [withBody(args[0] as Request, body)];
          return (Reflect.get(instance, method) as (...args: unknown[]) => unknown).apply(instance, handed);
        });
      });
    };
  });
}

function callWithStorage(stub: DurableObjectStub, onCall: (storage: DurableObjectStorage) => void): Promise<void> {
  return runInDurableObject(stub, (_instance, { storage }) => {
    onCall(storage);
  });
}

function withBody({ url, method, headers }: Request, body: ArrayBuffer): Request {
  return new Request(url, { method, headers, body: method === "GET" ? null : body });
}
