import type { PASSKEY_CALLS } from "#domain/calls/accounts.ts";
import { loginByPasskey } from "../accounts/passkey-answers.ts";
import {
  addPasskey,
  changePasskey,
  confirmOptions,
  creationOptions,
  listPasskeys,
  loginOptions,
  removePasskey,
  secondFactorOptions,
} from "../accounts/passkeys.ts";
import { answerSession } from "./answer-session.ts";
import { requireSession } from "./input.ts";
import type { Handlers } from "./mount.ts";

export const passkeyHandlers: Handlers<typeof PASSKEY_CALLS> = {
  "POST /api/auth/passkey/options": async ({ c, services, visit, body: { purpose }, now }) => {
    if (purpose === "login") return loginOptions(services, "", now);
    if (purpose === "second-factor") return secondFactorOptions(services, visit.headers, now);
    return confirmOptions(services, await requireSession(c), now);
  },
  "POST /api/auth/passkey/login": async ({ c, services, visit, body, now }) =>
    answerSession(c, await loginByPasskey(services, body, visit, now)),
  "GET /api/auth/passkeys": ({ services, user }) => listPasskeys(services, user.id),
  "POST /api/auth/passkeys/options": ({ services, session, now }) => creationOptions(services, session, now),
  "POST /api/auth/passkeys": ({ services, session, visit, body, now }) =>
    addPasskey({ services, visit, now }, session, body),
  "PATCH /api/auth/passkeys/:id": ({ services, user, params, body }) =>
    changePasskey(services, user.id, params.id, body.name),
  "DELETE /api/auth/passkeys/:id": ({ services, user, params, visit, now }) =>
    removePasskey(services, user, params.id, visit, now),
};
