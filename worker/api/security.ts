import type { SECURITY_CALLS } from "#domain/calls/accounts.ts";
import { confirm, sendConfirmCode } from "../accounts/confirm.ts";
import { listAccountEvents, listDevices, removeDevice, signOutEverywhere } from "../accounts/devices.ts";
import { revokeAccess, undoChangeOfEmail } from "../accounts/lock-out.ts";
import { toSessionChange } from "../accounts/accounts.ts";
import {
  beginFactor,
  confirmFactor,
  describeFactor,
  dropFactor,
  keepFactor,
  makeRecoveryCodes,
} from "../accounts/second-factors.ts";
import { findWaiting, showSecondFactor } from "../accounts/second-step.ts";
import { answerSession } from "./answer-session.ts";
import type { Handlers } from "./mount.ts";

export const securityHandlers: Handlers<typeof SECURITY_CALLS> = {
  "POST /api/auth/second-factor": async ({ c, context, services, visit, body, now }) => {
    const waiting = await findWaiting(services, visit.headers, now);
    await context.enforceRateLimit("secondFactor", waiting.userId);
    return answerSession(c, toSessionChange(await showSecondFactor(services, waiting, body, visit, now)));
  },
  "GET /api/auth/totp": ({ services, user }) => describeFactor(services, user),
  "POST /api/auth/totp": ({ services, user }) => beginFactor(services, user),
  "POST /api/auth/totp/enable": async ({ services, user, visit, body, now }) => ({
    recoveryCodes: await confirmFactor(services, user, body.code, visit, now),
  }),
  "DELETE /api/auth/totp": ({ services, user, visit, now }) => dropFactor(services, user, visit, now),
  "POST /api/auth/keep-factor": ({ services, visit, body, now }) => keepFactor(services, body.token, visit, now),
  "POST /api/auth/recovery-codes": async ({ services, user, visit, now }) => ({
    recoveryCodes: await makeRecoveryCodes(services, user, visit, now),
  }),

  "POST /api/auth/confirm": async ({ services, session, visit, body, now }) => ({
    confirmedUntil: new Date(await confirm(services, session, body, visit, now)).toISOString(),
  }),
  "POST /api/auth/confirm/mail": async ({ c, services, session, visit, now }) =>
    c.header("set-cookie", await sendConfirmCode(services, session, visit.headers, now), { append: true }),
  "GET /api/auth/devices": ({ services, session }) => listDevices(services, session),
  "DELETE /api/auth/devices/:id": ({ services, session, params, visit, now }) =>
    removeDevice(services, session, params.id, visit, now),
  "GET /api/auth/events": ({ services, session }) => listAccountEvents(services, session),
  "POST /api/auth/sign-out-everywhere": ({ services, session, visit, body, now }) =>
    signOutEverywhere(services, session, body.keysToo, visit, now),
  "POST /api/auth/not-me": ({ services, visit, body, now }) => revokeAccess(services, body.token, visit, now),
  "POST /api/auth/change-email/undo": ({ services, visit, body, now }) =>
    undoChangeOfEmail(services, body.token, visit, now),
};
