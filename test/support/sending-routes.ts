import type { AccountFixture } from "./account-fixture.ts";
import type { Route } from "./route.ts";

/** Of another file, or of none: 43 characters. */
const WRONG_TOKEN = "A".repeat(43);
const deletion = ({ fileId }: AccountFixture) => `/delete/${fileId}/${WRONG_TOKEN}`;

/** What programs send and delete with one request. Sessions open none of it. */
export const SENDING_ROUTES: Record<string, Route> = {
  "PUT /": { who: "anybody", limit: "needs a key", others: 401, own: 401 },
  "PUT /:name": { who: "anybody", limit: "needs a key", others: 401, own: 401, path: () => "/a-file.txt" },
  "POST /": { who: "anybody", limit: "needs a key", others: 401, own: 401 },
  "DELETE /delete/:id/:token": {
    who: "anybody",
    limit: "needs a signature",
    others: 404,
    own: 404,
    path: deletion,
  },
  "POST /delete/:id/:token": {
    who: "anybody",
    limit: "needs a signature",
    others: 404,
    own: 404,
    path: deletion,
  },
};
