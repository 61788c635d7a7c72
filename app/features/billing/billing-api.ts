import type { BodyOf } from "#app/lib/api-calls.ts";
import { call } from "#app/lib/api.ts";

export const billingApi = {
  checkout: (body: BodyOf<"POST /api/subscription/checkout">) => call("POST /api/subscription/checkout", { body }),
  openPortal: (returnUrl: string) => call("POST /api/subscription/portal", { body: { returnUrl } }),
  convertToStripe: () => call("POST /api/subscription/convert-to-stripe"),
  manualUpdate: (body: BodyOf<"POST /api/subscription/manual-update">) =>
    call("POST /api/subscription/manual-update", { body }),
};
