import { expect } from "vitest";
import { FILE_CASES, type Ids } from "./id-cases.ts";
import type { Client } from "./worker.ts";

type FileCase = keyof typeof FILE_CASES;

/** A call with ids of any kind, and the status that each kind gets. */
export interface CallWithIds {
  call: (ids: Ids) => Promise<Response>;
  statuses: Record<FileCase, number>;
}

/** Makes the call with ids of every kind; a rejection has to be a sentence. @param sender owns the ids, unless the kind says otherwise */
export async function expectStatuses(
  { call, statuses }: CallWithIds,
  sender: Client & { id: string; email: string },
): Promise<void> {
  const answered: Partial<CallWithIds["statuses"]> = {};
  for (const kind of Object.keys(statuses) as FileCase[]) {
    const response = await call(await FILE_CASES[kind](sender));
    const text = await response.text();
    answered[kind] = response.status;
    if (response.status >= 400) {
      const { message } = JSON.parse(text) as { message: string };
      expect(message, `${kind}: ${text}`).toMatch(/^(?:[A-Z]|downloadId |uploadId ).*\.$/);
    }
  }
  expect(answered).toEqual(statuses);
}
