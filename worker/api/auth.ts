import { Hono } from "hono";
import {
  changeEmailRequest,
  changePasswordRequest,
  deleteAccountRequest,
  loginRequest,
  registerRequest,
  emailRequest,
  setPasswordRequest,
  verifyEmailQuery,
  mailLinkUseRequest,
} from "#domain/wire.ts";
import { login, logout, register } from "../accounts/accounts.ts";
import { requestMailLink, requireMailLinks, redeemMailLink } from "../accounts/mail-links.ts";
import { requestPasswordReset, resendVerification, setNewPassword, verifyEmail } from "../accounts/mailed-links.ts";
import { changeEmail, changePassword, deleteAccount } from "../accounts/profile.ts";
import { endOtherSessions, endSession, listSessions } from "../accounts/session.ts";
import { readVisit } from "../accounts/visit.ts";
import { removeAccount } from "../admin/remove-account.ts";
import type { AppEnv } from "../app-env.ts";
import { answerSession } from "./answer-session.ts";
import { anyObject, parse, readJson, requireConfirmedUser, requireSession } from "./input.ts";
import { passkeyRoutes } from "./passkeys.ts";
import { providerRoutes } from "./providers.ts";
import { secondFactorRoutes } from "./second-factor.ts";
import { securityRoutes } from "./security.ts";

/** Links and codes by mail. Below `/api/auth`. */
const mailLinkRoutes = new Hono<AppEnv>()
  .post("/mail-link", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    requireMailLinks(services);
    const { email } = await readJson(c, emailRequest);
    await enforceRateLimit("mailLink", email);
    const cookie = await requestMailLink(services, email, readVisit(c.req.raw), Date.now());
    c.header("set-cookie", cookie, { append: true });
    return c.json({ message: "A link and a code are on their way to this address." });
  })
  .post("/mail-link/use", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    requireMailLinks(services);
    const request = await readJson(c, mailLinkUseRequest);
    await enforceRateLimit("redeemToken");
    const mayRegister = () => enforceRateLimit("register");
    return answerSession(c, await redeemMailLink(services, request, readVisit(c.req.raw), mayRegister, Date.now()));
  });

export const authRoutes = new Hono<AppEnv>()
  .route("/", securityRoutes)
  .route("/", secondFactorRoutes)
  .route("/", passkeyRoutes)
  .route("/", mailLinkRoutes)
  .route("/", providerRoutes)
  .get("/me", async (c) => c.json(await c.get("context").currentUser()))
  .post("/login", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    const credentials = await readJson(c, loginRequest);
    await enforceRateLimit("login", credentials.email);
    return answerSession(c, await login(services, credentials, readVisit(c.req.raw), Date.now()));
  })
  .post("/register", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    const credentials = await readJson(c, registerRequest);
    await enforceRateLimit("register");
    const change = await register(services, credentials, readVisit(c.req.raw), Date.now());
    const message = change.user
      ? "Account created successfully"
      : "Please check your email to complete account activation.";
    return answerSession(c, change, message, 201);
  })
  .post("/logout", async (c) => {
    const { services, currentSession } = c.get("context");
    return answerSession(c, await logout(services, await currentSession()));
  })
  .post("/reset-password", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    // With a mailed token this sets the new password; without one it requests the mail.
    const body = await readJson(c, anyObject);
    if ("token" in body) {
      await enforceRateLimit("redeemToken");
      await setNewPassword(services, parse(setPasswordRequest, body), readVisit(c.req.raw), Date.now());
      return c.json({ message: "Your new password is set. You can log in with it now." });
    }
    const { email } = parse(emailRequest, body);
    await enforceRateLimit("accountMail", email);
    requestPasswordReset(services, email);
    return c.json({ message: "If this address has an account, a link is on its way to it." });
  })
  .post("/resend-verification", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    const { email } = await readJson(c, emailRequest);
    await enforceRateLimit("accountMail", email);
    resendVerification(services, email);
    return c.json({ message: "If this address waits to be confirmed, a new link is on its way to it." });
  })
  .get("/verify-email", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    const { token } = parse(verifyEmailQuery, c.req.query());
    await enforceRateLimit("redeemToken");
    return c.json(await verifyEmail(services, token, Date.now()));
  })
  .post("/change-email", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    const user = await requireConfirmedUser(c);
    const { newEmail } = await readJson(c, changeEmailRequest);
    await enforceRateLimit("accountMail", user.email);
    return c.json(await changeEmail(services, user, newEmail, readVisit(c.req.raw), Date.now()));
  })
  .post("/change-password", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    const session = await requireSession(c);
    const request = await readJson(c, changePasswordRequest);
    await enforceRateLimit("login", session.user.email);
    return answerSession(c, await changePassword(services, session, request, readVisit(c.req.raw), Date.now()));
  })
  .get("/sessions", async (c) => {
    const session = await requireSession(c);
    return c.json(await listSessions(c.get("context").services, session, Date.now()));
  })
  .delete("/sessions", async (c) => {
    const session = await requireSession(c);
    await endOtherSessions(c.get("context").services, session);
    return c.json({ message: "Every other session has ended." });
  })
  .delete("/sessions/:id", async (c) => {
    const session = await requireSession(c);
    await endSession(c.get("context").services, session, c.req.param("id"));
    return c.json({ message: "The session has ended." });
  })
  .delete("/account", async (c) => {
    const { services, enforceRateLimit } = c.get("context");
    const session = await requireSession(c);
    const { password } = await readJson(c, deleteAccountRequest);
    await enforceRateLimit("login", session.user.email);
    await deleteAccount(services, session, password, Date.now());
    services.waitUntil(removeAccount(services, session.user.id, Date.now()));
    return c.json({ message: "Your links no longer work, and your files are being deleted." }, 202);
  });
