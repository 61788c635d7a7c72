import { anybody, json } from "./call.ts";

/** Calls from other sites and programs, authorized by a key, a signature or a token in the address. */
export const PROVEN_CALLS = {
  // `curl -T FILE`, and forms with files.
  "PUT /": anybody("needs a key"),
  "PUT /:name": anybody("needs a key"),
  "POST /": anybody("needs a key"),
  // The one-click POST of mail programs (RFC 8058), and the page's form without scripts.
  "POST /unsubscribe/:token": anybody("needs a signature"),
  "POST /api/stripe/webhook": anybody("needs a signature", { answer: json<{ received: true }>() }),
};
