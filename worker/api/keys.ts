import type { KEY_CALLS } from "#domain/calls/keys.ts";
import { approveDevice, findDevice, refuseDevice } from "../keys/devices.ts";
import { changeKey, listKeys, makeKey, revokeKey } from "../keys/keys.ts";
import type { Handlers } from "./mount.ts";

export const keyHandlers: Handlers<typeof KEY_CALLS> = {
  "GET /api/keys": ({ services, user, now }) => listKeys(services, user, now),
  "POST /api/keys": ({ services, user, body, now }) => makeKey(services, user, body, now),
  "PATCH /api/keys/:id": ({ services, user, params, body, now }) => changeKey(services, user, params.id, body, now),
  "DELETE /api/keys/:id": ({ services, user, params, now }) => revokeKey(services, user, params.id, now),

  "POST /api/auth/device": ({ services, body, now }) => findDevice(services, body.userCode, now),
  "POST /api/auth/device/approve": async ({ context, services, user, body, now }) => {
    const limits = ["enterDeviceCode", "makeKey"] as const;
    await Promise.all(limits.map((limit) => context.enforceRateLimit(limit, user.id)));
    await approveDevice(services, user, body.userCode, now);
  },
  "POST /api/auth/device/refuse": ({ services, body, now }) => refuseDevice(services, body.userCode, now),
};
