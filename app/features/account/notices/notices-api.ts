import type { BodyOf } from "#app/lib/api-calls.ts";
import { call } from "#app/lib/api.ts";

export const noticesKey = ["/api/notices"];

export const noticesApi = {
  read: () => call("GET /api/notices"),
  change: (body: BodyOf<"PATCH /api/notices">) => call("PATCH /api/notices", { body }),
};
