import { call, type BodyOf } from "#app/lib/api.ts";
import { answerByPasskey, beginQuestion } from "#app/lib/passkeys.ts";
import type { PasskeyPurpose } from "#domain/passkeys.ts";

type ContentBody = BodyOf<"POST /api/content">;

/** The fixed author of changes to pages (decision 024). The audit log holds the administrator's name. */
const BY_ADMIN = { lastUpdatedBy: "admin" };

export const adminApi = {
  /** Opens the browser's passkey dialog. @returns null when the person closes the dialog */
  askForPasskey: async (purpose: PasskeyPurpose) => {
    const { signal } = beginQuestion();
    return answerByPasskey(await call("POST /api/admin/passkey/options", { body: { purpose } }), { signal });
  },
  /**
   * @returns whether an account is deleted. A deletion takes a while, so the page asks again until the answer is true.
   */
  isUserGone: async (id: string) => {
    const { items } = await call("GET /api/admin/users", { query: { q: id } });
    return items.every((user) => user.id !== id);
  },
  createContent: (body: ContentBody) => call("POST /api/content", { body: { ...body, ...BY_ADMIN } }),
  updateContent: (id: string, body: ContentBody) =>
    call("PUT /api/content/:id", { params: { id }, body: { ...body, ...BY_ADMIN } }),
  /** @returns sanitised HTML, as readers of the page get it */
  previewContent: async (content: string, signal: AbortSignal) => {
    const preview = await call("POST /api/content/preview", { body: { content }, signal });
    return preview.content;
  },
};
