import { call, type BodyOf } from "#app/lib/api.ts";
import { answerByPasskey, beginQuestion } from "#app/lib/passkeys.ts";
import type { PasskeyPurpose } from "#domain/passkeys.ts";

type ContentBody = BodyOf<"POST /api/content">;

/** A fixed value (decision 024): the audit log holds the administrator's name. */
const BY_ADMIN = { lastUpdatedBy: "admin" };

export const adminApi = {
  /** Opens the browser's dialog. @returns null when the person closes it */
  askForPasskey: async (purpose: PasskeyPurpose) => {
    const { signal } = beginQuestion();
    return answerByPasskey(await call("POST /api/admin/passkey/options", { body: { purpose } }), { signal });
  },
  /** Deleting an account takes a while. */
  isUserGone: async (id: string) => {
    const { items } = await call("GET /api/admin/users", { query: { q: id } });
    return items.every((user) => user.id !== id);
  },
  createContent: (body: ContentBody) => call("POST /api/content", { body: { ...body, ...BY_ADMIN } }),
  updateContent: (id: string, body: ContentBody) =>
    call("PUT /api/content/:id", { params: { id }, body: { ...body, ...BY_ADMIN } }),
  /** @returns sanitised HTML, as readers receive it */
  previewContent: async (content: string, signal: AbortSignal) => {
    const preview = await call("POST /api/content/preview", { body: { content }, signal });
    return preview.content;
  },
};
