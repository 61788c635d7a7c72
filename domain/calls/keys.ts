import * as wire from "../wire.ts";
import { confirmedMember, json, member } from "./call.ts";

/** Calls for a person's API keys. The calls need a session, so no key can make or change a key. */
export const KEY_CALLS = {
  "GET /api/keys": member({ answer: json<wire.ListedKey[]>() }),
  "POST /api/keys": confirmedMember("makeKey", {
    body: wire.makeKeyRequest,
    status: 201,
    answer: json<wire.MadeKey>(),
  }),
  "PATCH /api/keys/:id": member({ body: wire.changeKeyRequest, answer: json<wire.ListedKey>() }),
  "DELETE /api/keys/:id": member({ says: "The key no longer works." }),

  // A person types a program's code to sign the program in. The code is in the body and not in the URL, so no log or
  // browser history has it.
  "POST /api/auth/device": member("enterDeviceCode", {
    body: wire.userCodeRequest,
    answer: json<wire.WaitingDevice>(),
  }),
  // A program's new key is confirmed, rate limited and mailed to its owner, like a key of the account page.
  "POST /api/auth/device/approve": confirmedMember("enterDeviceCode", {
    handler: "limits",
    body: wire.userCodeRequest,
    says: "The program is signed in.",
  }),
  "POST /api/auth/device/refuse": member("enterDeviceCode", {
    body: wire.userCodeRequest,
    says: "The program was refused.",
  }),
};
