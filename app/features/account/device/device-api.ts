import { call } from "#app/lib/api.ts";

/** @throws ApiError for a code that is unknown or has ended */
export const deviceApi = {
  find: (userCode: string) => call("POST /api/auth/device", { body: { userCode } }),
  approve: (userCode: string) => call("POST /api/auth/device/approve", { body: { userCode } }),
  refuse: (userCode: string) => call("POST /api/auth/device/refuse", { body: { userCode } }),
};
