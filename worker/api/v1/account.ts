import {
  DEVICE_CODE_TTL_MS,
  DEVICE_KEY_LIFETIME,
  DEVICE_KEY_SCOPES,
  DEVICE_POLL_MS,
  showUserCode,
} from "#domain/device-codes.ts";
import { endsAt } from "#domain/expiry.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { DEVICE_CALLS } from "#domain/v1/account.ts";
import { ipOf } from "../../context.ts";
import { describeProgram } from "../../keys/authenticate.ts";
import { pollDevice, startDevice } from "../../keys/devices.ts";
import { endOwnKey } from "../../keys/keys.ts";
import { toIso } from "../../urls.ts";
import { requireProgram } from "../input.ts";
import type { Handlers, Handler } from "./handler.ts";

/**
 * Pages are refused: a page could begin a sign-in from its visitor's IP address, and the visitor would take the sign-in
 * for one of their own devices.
 */
const FOR_PROGRAMS = "This call is for programs. Pages use an account's session.";

export const deviceHandlers: Handlers<keyof typeof DEVICE_CALLS> = {
  startDevice: async ({ c, context, body, now }) => {
    requireProgram(c, FOR_PROGRAMS);
    await context.enforceRateLimit("startDevice");
    const { services, request } = context;
    const { deviceCode, userCode } = await startDevice(services, body.device_name, ipOf(request), now);
    const page = `${services.settings.origin}/device`;
    return {
      device_code: deviceCode,
      user_code: showUserCode(userCode),
      verification_uri: page,
      verification_uri_complete: page,
      expires_in: DEVICE_CODE_TTL_MS / SECOND_MS,
      interval: DEVICE_POLL_MS / SECOND_MS,
    };
  },
  pollDevice: async ({ context, body, now }) => {
    await context.enforceRateLimit("pollDevice");
    return {
      access_token: await pollDevice(context.services, body.device_code, now),
      token_type: "Bearer",
      expires_in: ((endsAt(DEVICE_KEY_LIFETIME, now) ?? now) - now) / SECOND_MS,
      scope: DEVICE_KEY_SCOPES.join(" "),
    };
  },
  endKey: async ({ context, program, now }) => {
    await endOwnKey(context.services, program, now);
    return undefined;
  },
};

export const readMe: Handler<"readMe"> = async ({ context, program, now }) => {
  const { limits, month, monthUsed } = await describeProgram(context.services, program, now);
  const { id, name, lastFour, scopes, expiresAt, callsPerMinute, monthBytes, largestFileBytes } = program.key;
  return {
    email: program.user.email,
    plan: program.user.planType,
    limits: {
      fileSize: limits.fileSizeBytes,
      monthBytes: limits.monthBytes,
      monthTransfers: limits.monthTransfers,
      entries: limits.entries,
      longestExpiry: limits.longestExpiration,
      stored: limits.storedBytes,
    },
    month: { bytes: month.bytes, transfers: month.transfers, endsAt: month.periodEnd.toISOString() },
    key: {
      id,
      name,
      lastFour,
      scopes,
      expiresAt: toIso(expiresAt),
      limits: { callsPerMinute, monthBytes, largestFileBytes },
      monthUsed,
    },
  };
};
