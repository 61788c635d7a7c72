import {
  createDeviceCode,
  createUserCode,
  DEVICE_CODE_TTL_MS,
  DEVICE_KEY_LIFETIME,
  DEVICE_KEY_SCOPES,
  DEVICE_POLL_MS,
} from "#domain/device-codes.ts";
import { AppError } from "#domain/errors.ts";
import { shortenIp } from "#domain/ip-address.ts";
import { limitFor } from "#domain/plans.ts";
import type { CurrentUser, WaitingDevice } from "#domain/wire.ts";
import {
  approveDeviceCode,
  findDeviceCode,
  insertDeviceCode,
  pollDeviceCode,
  redeemDeviceCode,
  refuseDeviceCode,
} from "../db/device-codes.ts";
import { planOfRow } from "../db/users.ts";
import type { Services } from "../services.ts";
import { hashToken } from "../tokens.ts";
import { prepareKey, tooManyKeys } from "./keys.ts";

/**
 * Begins the device flow (RFC 8628), and stores hashes of both codes.
 * @param ip the program's IP address
 * @param now epoch milliseconds
 */
export async function startDevice(
  { db }: Services,
  name: string,
  ip: string,
  now: number,
): Promise<{ deviceCode: string; userCode: string }> {
  const [deviceCode, userCode] = [createDeviceCode(), createUserCode()];
  await insertDeviceCode(db, {
    deviceHash: await hashToken(deviceCode),
    userHash: await hashToken(userCode),
    name,
    address: shortenIp(ip),
    createdAt: new Date(now),
    expiresAt: new Date(now + DEVICE_CODE_TTL_MS),
    nextPollAt: new Date(now),
  });
  return { deviceCode, userCode };
}

/** @param userCode eight letters @throws AppError DEVICE_CODE_UNKNOWN, DEVICE_CODE_ENDED */
export async function findDevice({ db }: Services, userCode: string, now: number): Promise<WaitingDevice> {
  const found = await findDeviceCode(db, await hashToken(userCode));
  if (!found) throw new AppError("DEVICE_CODE_UNKNOWN");
  const { name, address, state, createdAt, expiresAt } = found;
  if (state !== "waiting" || expiresAt.getTime() <= now) throw new AppError("DEVICE_CODE_ENDED");
  return { name, address, askedAt: createdAt.toISOString() };
}

/**
 * Approves a program's sign-in, for the signed-in person. The API key is made only when the program polls, because
 * before that nobody could receive it.
 * @param userCode eight letters
 * @param now epoch milliseconds
 * @throws AppError DEVICE_CODE_UNKNOWN, DEVICE_CODE_ENDED, PLAN_LIMIT_EXCEEDED if the plan allows no further key
 */
export async function approveDevice(
  services: Services,
  user: CurrentUser,
  userCode: string,
  now: number,
): Promise<void> {
  const maxKeys = limitFor(user.planType).apiKeys;
  if (await approveDeviceCode(services.db, await hashToken(userCode), user.id, maxKeys, now)) return;
  await findDevice(services, userCode, now);
  throw tooManyKeys(maxKeys);
}

/** @param userCode eight letters @throws AppError DEVICE_CODE_UNKNOWN, DEVICE_CODE_ENDED */
export async function refuseDevice(services: Services, userCode: string, now: number): Promise<void> {
  if (await refuseDeviceCode(services.db, await hashToken(userCode), now)) return;
  await findDevice(services, userCode, now);
}

/**
 * Makes the program's API key once a person has approved the program.
 * @param now epoch milliseconds
 * @returns the key, which is not stored
 * @throws AppError AUTHORIZATION_PENDING, SLOW_DOWN, ACCESS_DENIED, EXPIRED_TOKEN, each with RFC 8628's name as
 * `error`; PLAN_LIMIT_EXCEEDED when the person has made other keys since the approval
 */
export async function pollDevice(services: Services, deviceCode: string, now: number): Promise<string> {
  const deviceHash = await hashToken(deviceCode);
  const polled = await pollDeviceCode(services.db, deviceHash, { now, nextPollAt: now + DEVICE_POLL_MS });
  if (!polled) throw flowError("EXPIRED_TOKEN");
  if (!polled.isInTime) throw flowError("SLOW_DOWN");
  if (polled.state === "refused") throw flowError("ACCESS_DENIED");
  if (!polled.user) throw flowError("AUTHORIZATION_PENDING");
  const { key, row, maxKeys, mail } = await prepareKey(
    services,
    { ...polled.user, planType: planOfRow(polled.user) },
    {
      name: polled.name,
      scopes: [...DEVICE_KEY_SCOPES],
      expiresIn: DEVICE_KEY_LIFETIME,
      limits: {},
      browserUse: false,
    },
    "cli",
    now,
  );
  const outcome = await redeemDeviceCode(services.db, deviceHash, row, maxKeys, mail, now);
  if (outcome === "gone") throw flowError("EXPIRED_TOKEN");
  if (outcome === "full") throw tooManyKeys(maxKeys);
  mail.send();
  return key;
}

function flowError(code: "AUTHORIZATION_PENDING" | "SLOW_DOWN" | "ACCESS_DENIED" | "EXPIRED_TOKEN") {
  return new AppError(code, { error: code.toLowerCase() });
}
