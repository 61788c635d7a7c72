import * as wire from "#domain/wire.ts";
import { member, type Route } from "./route.ts";
import { UNKNOWN_ASSERTION } from "./samples.ts";

const UNKNOWN_ATTESTATION = {
  id: "AAAA",
  rawId: "AAAA",
  type: "public-key",
  response: { clientDataJSON: "e30", attestationObject: "AAAA", transports: [] },
};

/** What keeps an account its owner's. */
export const SECURITY_ROUTES: Record<string, Route> = {
  "POST /api/auth/confirm": member({
    schema: wire.confirmRequest,
    limit: "confirm",
    others: 403,
    own: 403,
    body: () => ({ password: "a wrong password" }),
  }),
  "POST /api/auth/second-factor": {
    who: "anybody",
    limit: "secondStep",
    schema: wire.secondFactorRequest,
    others: 401,
    own: 401,
    body: () => ({ code: "123456" }),
  },
  "POST /api/auth/keep-factor": {
    who: "anybody",
    limit: "redeemToken",
    schema: wire.mailedTokenRequest,
    others: 400,
    own: 400,
    body: () => ({ token: "x" }),
  },
  "GET /api/auth/totp": member(),
  "POST /api/auth/totp": member({ limit: "changeFactor", own: 201, others: 201 }),
  "POST /api/auth/totp/enable": member({
    schema: wire.codeRequest,
    limit: "secondFactor",
    // A secret of the call before waits for its first code.
    others: 401,
    own: 401,
    body: () => ({ code: "123456" }),
  }),
  "DELETE /api/auth/totp": member({ limit: "changeFactor", others: 404, own: 404 }),
  "POST /api/auth/recovery-codes": member({ limit: "changeFactor", others: 404, own: 404 }),
  "POST /api/auth/passkey/options": {
    who: "anybody",
    limit: "passkey",
    schema: wire.passkeyOptionsRequest,
    body: () => ({ purpose: "login" }),
  },
  "POST /api/auth/passkey/login": {
    who: "anybody",
    limit: "passkey",
    schema: wire.passkeyLoginRequest,
    others: 401,
    own: 401,
    body: () => ({ credential: UNKNOWN_ASSERTION }),
  },
  "GET /api/auth/passkeys": member(),
  "POST /api/auth/passkeys/options": member({ limit: "passkey" }),
  "POST /api/auth/passkeys": member({
    limit: "passkey",
    schema: wire.addPasskeyRequest,
    others: 403,
    own: 403,
    body: () => ({ name: "A passkey", credential: UNKNOWN_ATTESTATION }),
  }),
  "PATCH /api/auth/passkeys/:id": member({
    schema: wire.changePasskeyRequest,
    path: ({ passkeyId }) => `/api/auth/passkeys/${passkeyId}`,
    body: () => ({ name: "Another name" }),
    others: 404,
  }),
  "DELETE /api/auth/passkeys/:id": member({
    path: ({ passkeyId }) => `/api/auth/passkeys/${passkeyId}`,
    others: 404,
  }),
  "GET /api/auth/devices": member(),
  "DELETE /api/auth/devices/:id": member({ path: ({ deviceId }) => `/api/auth/devices/${deviceId}`, others: 404 }),
  "GET /api/auth/events": member(),
  "POST /api/auth/sign-out-everywhere": member({ schema: wire.signOutEverywhereRequest, body: () => ({}) }),
  "POST /api/auth/not-me": {
    who: "anybody",
    limit: "redeemToken",
    schema: wire.mailedTokenRequest,
    others: 400,
    own: 400,
    body: () => ({ token: "x" }),
  },
  "POST /api/auth/change-email/undo": {
    who: "anybody",
    limit: "redeemToken",
    schema: wire.mailedTokenRequest,
    others: 400,
    own: 400,
    body: () => ({ token: "x" }),
  },
};
