import { Hono, type Context } from "hono";
import type { RateLimitedCall } from "#domain/rate-limits.ts";
import { userCodeRequest } from "#domain/wire.ts";
import { approveDevice, findDevice, refuseDevice } from "../keys/devices.ts";
import type { AppEnv } from "../app-env.ts";
import { readJson, requireConfirmedUser, requireUser } from "./input.ts";

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
