import { Hono, type Context } from "hono";
import type { RateLimitedCall } from "#domain/rate-limits.ts";
import { changeKeyRequest, makeKeyRequest, userCodeRequest } from "#domain/wire.ts";
import type { AppEnv } from "../app-env.ts";
import { approveDevice, findDevice, refuseDevice } from "../keys/devices.ts";
import { changeKey, listKeys, makeKey, revokeKey } from "../keys/keys.ts";
import { readJson, requireConfirmedUser, requireUser } from "./input.ts";

/** A person's API keys. Only a session opens these calls: no key makes or changes a key. */
export const keyRoutes = new Hono<AppEnv>()
  .get("/", async (c) => {
    const user = await requireUser(c);
    return c.json(await listKeys(c.get("context").services, user, Date.now()));
  })
  .post("/", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    const user = await requireConfirmedUser(c);
    const request = await readJson(c, makeKeyRequest);
    await enforceRateLimit("makeKey", user.id);
    return c.json(await makeKey(services, user, request, Date.now()), 201);
  })
  .patch("/:id", async (c) => {
    const user = await requireUser(c);
    const change = await readJson(c, changeKeyRequest);
    return c.json(await changeKey(c.get("context").services, user, c.req.param("id"), change, Date.now()));
  })
  .delete("/:id", async (c) => {
    const user = await requireUser(c);
    await revokeKey(c.get("context").services, user, c.req.param("id"), Date.now());
    return c.json({ message: "The key no longer works." });
  });

/**
 * Where a person signs a program in with the code that it shows. The code stands in no address, so neither a log nor a
 * browser's history has it.
 */
export const deviceRoutes = new Hono<AppEnv>()
  .post("/", async (c) => {
    const { services, userCode } = await readUserCode(c);
    return c.json(await findDevice(services, userCode, Date.now()));
  })
  .post("/approve", async (c) => {
    // The key that comes of it is confirmed and mailed, as one of the account page is.
    await requireConfirmedUser(c);
    const { services, user, userCode } = await readUserCode(c, "makeKey");
    await approveDevice(services, user, userCode, Date.now());
    return c.json({ message: "The program is signed in." });
  })
  .post("/refuse", async (c) => {
    const { services, userCode } = await readUserCode(c);
    await refuseDevice(services, userCode, Date.now());
    return c.json({ message: "The program was refused." });
  });

/** @param limits besides that of typing codes @throws AppError UNAUTHORIZED, BAD_REQUEST, RATE_LIMITED */
async function readUserCode(c: Context<AppEnv>, ...limits: RateLimitedCall[]) {
  const { services, enforceRateLimit } = c.get("context");
  const user = await requireUser(c);
  const { userCode } = await readJson(c, userCodeRequest);
  await Promise.all((["enterDeviceCode", ...limits] as const).map((limit) => enforceRateLimit(limit, user.id)));
  return { services, user, userCode };
}
