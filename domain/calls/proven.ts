import { anybody, json } from "./call.ts";

/** What other sites and programs may send: a key, a signature or the token in the address says what they may. */
export const PROVEN_CALLS = {
  // `curl -T FILE`, and forms with files.
  "PUT /": anybody("needs a key"),
  "PUT /:name": anybody("needs a key"),
  "POST /": anybody("needs a key"),
  // What mail programs post (RFC 8058), and the page's form without scripts.
  "POST /unsubscribe/:token": anybody("needs a signature"),
  "POST /api/stripe/webhook": anybody("needs a signature", { answer: json<{ received: true }>() }),
};
