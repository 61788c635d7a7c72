import * as wire from "../wire.ts";
import { anybody, confirmedMember, json, member } from "./call.ts";

interface SessionAnswer {
  message?: string;
  /** Null after a registration that waits for the email address to be verified. */
  user: wire.CurrentUser | null;
}

/** Calls for signing in and out, and for the account itself. */
export const ACCOUNT_CALLS = {
  "GET /api/auth/me": anybody("reads what is public", { answer: json<wire.CurrentUser | null>() }),
  "POST /api/auth/login": anybody("login", {
    limitBy: "email",
    body: wire.loginRequest,
    answer: json<wire.LoginAnswer>(),
  }),
  "POST /api/auth/register": anybody("register", {
    needsHuman: true,
    body: wire.registerRequest,
    status: 201,
    answer: json<SessionAnswer>(),
  }),
  "POST /api/auth/logout": anybody("ends its own session", { answer: json<SessionAnswer>() }),
  // With a mailed token, the call sets the new password. Without a token, the call requests the mail.
  "POST /api/auth/reset-password": anybody("accountMail", {
    handler: "limits",
    bodies: [wire.setPasswordRequest, wire.emailRequest],
    answer: json<{ message: string }>(),
  }),
  "POST /api/auth/resend-verification": anybody("accountMail", {
    limitBy: "email",
    body: wire.emailRequest,
    says: "If this address waits to be confirmed, a new link is on its way to it.",
  }),
  "GET /api/auth/verify-email": anybody("redeemToken", {
    query: wire.verifyEmailQuery,
    answer: json<{ email: string }>(),
  }),
  "POST /api/auth/change-email": confirmedMember("accountMail", {
    limitBy: "email",
    body: wire.changeEmailRequest,
    answer: json<{ pending: boolean }>(),
  }),
  "POST /api/auth/change-password": member("login", {
    limitBy: "email",
    body: wire.changePasswordRequest,
    answer: json<SessionAnswer>(),
  }),
  "GET /api/auth/sessions": member({ answer: json<wire.ListedSession[]>() }),
  "DELETE /api/auth/sessions": member({ says: "Every other session has ended." }),
  "DELETE /api/auth/sessions/:id": member({ says: "The session has ended." }),
  "DELETE /api/auth/account": member("login", {
    limitBy: "email",
    body: wire.deleteAccountRequest,
    status: 202,
    says: "Your links no longer work, and your files are being deleted.",
  }),
  // These calls do not exist unless sign-in by mailed links is on.
  "POST /api/auth/mail-link": anybody("mailLink", {
    handler: "reads",
    body: wire.emailRequest,
    says: "A link and a code are on their way to this address.",
  }),
  "POST /api/auth/mail-link/use": anybody("redeemToken", {
    handler: "reads",
    body: wire.mailLinkUseRequest,
    answer: json<wire.LoginAnswer>(),
  }),
};

export const PROVIDER_CALLS = {
  "GET /api/auth/provider/:name": anybody("provider", { handler: "reads", query: wire.providerQuery }),
  "GET /api/auth/provider/:name/callback": anybody("provider", { handler: "reads" }),
  "GET /api/auth/providers": anybody("reads what is public", { answer: json<wire.ProvidersAnswer>() }),
  "POST /api/auth/providers/:name/link": confirmedMember("provider", {
    handler: "limits",
    answer: json<wire.LinkProviderAnswer>(),
  }),
  "DELETE /api/auth/providers/:name": confirmedMember({ says: "The provider is no longer connected." }),
};

export const PASSKEY_CALLS = {
  // Options for confirming need a session, but options for signing in do not.
  "POST /api/auth/passkey/options": anybody("passkey", {
    body: wire.passkeyOptionsRequest,
    answer: json<wire.PasskeyRequestOptions>(),
  }),
  "POST /api/auth/passkey/login": anybody("passkey", { body: wire.passkeyLoginRequest, answer: json<SessionAnswer>() }),
  "GET /api/auth/passkeys": member({ answer: json<wire.PasskeysAnswer>() }),
  "POST /api/auth/passkeys/options": confirmedMember("passkey", { answer: json<wire.PasskeyCreationOptions>() }),
  "POST /api/auth/passkeys": member("passkey", {
    body: wire.addPasskeyRequest,
    status: 201,
    answer: json<wire.PasskeysAnswer>(),
  }),
  "PATCH /api/auth/passkeys/:id": member({ body: wire.changePasskeyRequest, answer: json<wire.ListedPasskey>() }),
  "DELETE /api/auth/passkeys/:id": confirmedMember({ answer: json<wire.PasskeysAnswer>() }),
};

/** Calls for the second step of signing in, and for the account's security. */
export const SECURITY_CALLS = {
  "POST /api/auth/second-factor": anybody("secondStep", {
    body: wire.secondFactorRequest,
    answer: json<wire.LoginAnswer>(),
  }),
  "GET /api/auth/totp": member({ answer: json<wire.SecondFactorState>() }),
  "POST /api/auth/totp": confirmedMember("changeFactor", { status: 201, answer: json<wire.NewFactor>() }),
  "POST /api/auth/totp/enable": confirmedMember("secondFactor", {
    body: wire.codeRequest,
    answer: json<wire.RecoveryCodesAnswer>(),
  }),
  "DELETE /api/auth/totp": confirmedMember("changeFactor", {
    says: "The authenticator app and its recovery codes are removed.",
  }),
  "POST /api/auth/keep-factor": anybody("redeemToken", {
    body: wire.mailedTokenRequest,
    says: "Your authenticator app stays.",
  }),
  "POST /api/auth/recovery-codes": confirmedMember("changeFactor", { answer: json<wire.RecoveryCodesAnswer>() }),

  "POST /api/auth/confirm": member("confirm", {
    limitBy: "email",
    body: wire.confirmRequest,
    answer: json<wire.ConfirmAnswer>(),
  }),
  "POST /api/auth/confirm/mail": member("confirmMail", { says: "A code is on its way to your address." }),
  "GET /api/auth/devices": member({ answer: json<wire.ListedDevice[]>() }),
  "DELETE /api/auth/devices/:id": member({ says: "The device is signed out and forgotten." }),
  "GET /api/auth/events": member({ answer: json<wire.AccountEvent[]>() }),
  "POST /api/auth/sign-out-everywhere": member({
    body: wire.signOutEverywhereRequest,
    says: "Every device is signed out.",
  }),
  "POST /api/auth/not-me": anybody("redeemToken", {
    body: wire.mailedTokenRequest,
    says: "Everything is signed out. A mail to set another password is on its way.",
  }),
  "POST /api/auth/change-email/undo": anybody("redeemToken", {
    body: wire.mailedTokenRequest,
    answer: json<{ email: string }>(),
  }),
};
