import type { BodyOf } from "#app/lib/api-calls.ts";
import { call } from "#app/lib/api.ts";
import { callConfirmed } from "#app/lib/confirming.ts";

export const KEYS_QUERY = ["/api/keys"] as const;

export const keysApi = {
  list: () => call("GET /api/keys"),
  make: (body: BodyOf<"POST /api/keys">) => callConfirmed("POST /api/keys", { body }),
  change: (id: string, body: BodyOf<"PATCH /api/keys/:id">) => call("PATCH /api/keys/:id", { params: { id }, body }),
  revoke: (id: string) => call("DELETE /api/keys/:id", { params: { id } }),
};
