import type { Services } from "#worker/services.ts";
import { wrapMethods } from "./query-interceptor.ts";

/** Services whose bucket runs `before` ahead of each delete. */
export function withBeforeDelete(services: Services, before: () => Promise<void>): Services {
  const bucket = wrapMethods(services.bucket, (name, call) => {
    if (name !== "delete") return call;
    return async (...args) => {
      await before();
      return call(...args);
    };
  });
  return { ...services, bucket };
}
