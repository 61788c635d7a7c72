import type { ACCOUNT_CALLS } from "#domain/calls/accounts.ts";
import { emailRequest, mailLinkUseRequest, setPasswordRequest } from "#domain/wire.ts";
import { login, logout, register } from "../accounts/accounts.ts";
import { requestMailLink, requireMailLinks, redeemMailLink } from "../accounts/mail-links.ts";
import { requestPasswordReset, resendVerification, setNewPassword, verifyEmail } from "../accounts/mailed-links.ts";
import { changeEmail, changePassword, deleteAccount } from "../accounts/profile.ts";
import { endOtherSessions, endSession, listSessions } from "../accounts/session.ts";
import { removeAccount } from "../admin/remove-account.ts";
import { answerSession } from "./answer-session.ts";
import { parse, readJson } from "./input.ts";
import type { Handlers } from "./mount.ts";

export const accountHandlers: Handlers<typeof ACCOUNT_CALLS> = {
  "GET /api/auth/me": ({ context }) => context.currentUser(),
  "POST /api/auth/login": async ({ c, services, visit, body, now }) =>
    answerSession(c, await login(services, body, visit, now)),
  "POST /api/auth/register": async ({ c, services, visit, body, now }) => {
    const change = await register(services, body, visit, now);
    const message = change.user
      ? "Account created successfully"
      : "Please check your email to complete account activation.";
    return { message, ...answerSession(c, change) };
  },
  "POST /api/auth/logout": async ({ c, context, services }) =>
    answerSession(c, await logout(services, await context.currentSession())),
  "POST /api/auth/reset-password": async ({ context, services, visit, body, now }) => {
    if ("token" in body) {
      await context.enforceRateLimit("redeemToken");
      await setNewPassword(services, parse(setPasswordRequest, body), visit, now);
      return { message: "Your new password is set. You can log in with it now." };
    }
    const { email } = parse(emailRequest, body);
    await context.enforceRateLimit("accountMail", email);
    requestPasswordReset(services, email);
    return { message: "If this address has an account, a link is on its way to it." };
  },
  "POST /api/auth/resend-verification": ({ services, body }) => resendVerification(services, body.email),
  "GET /api/auth/verify-email": ({ services, query, now }) => verifyEmail(services, query.token, now),
  "POST /api/auth/change-email": ({ services, user, visit, body, now }) =>
    changeEmail(services, user, body.newEmail, visit, now),
  "POST /api/auth/change-password": async ({ c, services, session, visit, body, now }) =>
    answerSession(c, await changePassword(services, session, body, visit, now)),
  "GET /api/auth/sessions": ({ services, session, now }) => listSessions(services, session, now),
  "DELETE /api/auth/sessions": ({ services, session }) => endOtherSessions(services, session),
  "DELETE /api/auth/sessions/:id": ({ services, session, params }) => endSession(services, session, params.id),
  "DELETE /api/auth/account": async ({ services, session, body, now }) => {
    await deleteAccount(services, session, body.password, now);
    services.waitUntil(removeAccount(services, session.user.id, Date.now()));
  },
  "POST /api/auth/mail-link": async ({ c, context, services, visit }) => {
    requireMailLinks(services);
    const { email } = await readJson(c, emailRequest);
    await context.enforceRateLimit("mailLink", email);
    c.header("set-cookie", await requestMailLink(services, email, visit, Date.now()), { append: true });
  },
  "POST /api/auth/mail-link/use": async ({ c, context, services, visit }) => {
    requireMailLinks(services);
    const request = await readJson(c, mailLinkUseRequest);
    await context.enforceRateLimit("redeemToken");
    const mayRegister = () => context.enforceRateLimit("register");
    return answerSession(c, await redeemMailLink(services, request, visit, mayRegister, Date.now()));
  },
};
