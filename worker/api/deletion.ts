import { Hono, type Context } from "hono";
import { parse } from "./input.ts";
import { deletionInAddress } from "#domain/wire.ts";
import type { AppEnv } from "../app-env.ts";
import { deleteByToken } from "../files/deletion.ts";

/** The address in `X-Url-Delete`. Its GET is a page with a button, so whoever only follows it deletes nothing. */
export const deletionRoutes = new Hono<AppEnv>()
  .delete("/:id/:token", async (c) => {
    await deleteNamed(c);
    return c.body(null, 204);
  })
  .post("/:id/:token", async (c) => {
    const downloadId = await deleteNamed(c);
    // The link's page says that it has been removed.
    return c.redirect(`/download/${downloadId}`, 303);
  });

function deleteNamed(c: Context<AppEnv>): Promise<string> {
  const { id, token } = parse(deletionInAddress, c.req.param());
  return deleteByToken(c.get("context").services, id, token, Date.now());
}
