import type { Services } from "#worker/services.ts";
import { withMethods } from "./between.ts";

/** The services on a store whose `delete` does something else first. */
export function whereDeleting(services: Services, first: () => Promise<void>): Services {
  const bucket = withMethods(services.bucket, (name, call) => {
    if (name !== "delete") return call;
    return async (...args) => {
      await first();
      return call(...args);
    };
  });
  return { ...services, bucket };
}
