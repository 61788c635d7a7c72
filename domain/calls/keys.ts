import * as wire from "../wire.ts";
import { confirmedMember, json, member } from "./call.ts";

/** A person's API keys. Only a session opens these calls: no key makes or changes a key. */
export const KEY_CALLS = {
  "GET /api/keys": member({ answer: json<wire.ListedKey[]>() }),
  "POST /api/keys": confirmedMember("makeKey", {
    body: wire.makeKeyRequest,
    status: 201,
    answer: json<wire.MadeKey>(),
  }),
  "PATCH /api/keys/:id": member({ body: wire.changeKeyRequest, answer: json<wire.ListedKey>() }),
  "DELETE /api/keys/:id": member({ says: "The key no longer works." }),

  // Where a person signs a program in with the code that it shows. The code stands in no address, so neither a log nor a
  // browser's history has it.
  "POST /api/auth/device": member("enterDeviceCode", {
    body: wire.userCodeRequest,
    answer: json<wire.WaitingDevice>(),
  }),
  // The key that comes of it is confirmed, limited and mailed, as one of the account page is.
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
