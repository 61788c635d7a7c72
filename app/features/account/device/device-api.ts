import { call } from "#app/lib/api.ts";
import { callConfirmed } from "#app/lib/confirming.ts";

/** @throws ApiError for a code that is unknown or has ended */
export const deviceApi = {
  find: (userCode: string) => call("POST /api/auth/device", { body: { userCode } }),
  approve: (userCode: string) => callConfirmed("POST /api/auth/device/approve", { body: { userCode } }),
  refuse: (userCode: string) => call("POST /api/auth/device/refuse", { body: { userCode } }),
};
