import { useRevalidator } from "@remix-run/react";
import { useCallback, useEffect, useState } from "react";
import { toast } from "#app/ui/toast.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { AdminUser } from "#domain/wire.ts";
import { adminApi } from "./admin-api.ts";

/** How often it is asked whether an account that is being deleted has gone. */
const ASK_EVERY_MS = 3 * SECOND_MS;

/**
 * Watches the accounts among these that are being deleted, and says when one has gone for good (decisions, Accounts).
 * @returns watches one more: a deletion may be over before its row was seen again
 */
export function useDeletions(users: AdminUser[]): (userId: string) => void {
  const t = useMessages("admin");
  const { revalidate } = useRevalidator();
  const [awaited, setAwaited] = useState<readonly string[]>([]);
  // One that was seen is watched on, also when the list shows others.
  const unseen = users.filter(({ id, isDeleting }) => isDeleting && !awaited.includes(id));
  if (unseen.length > 0) setAwaited([...awaited, ...unseen.map(({ id }) => id)]);

  useEffect(() => {
    if (awaited.length === 0) return;
    const ask = async () => {
      const answers = await Promise.all(awaited.map(async (id) => ((await adminApi.isUserGone(id)) ? [id] : [])));
      const gone = new Set(answers.flat());
      if (gone.size === 0) return;
      setAwaited((ids) => ids.filter((id) => !gone.has(id)));
      toast({ title: t("userDeleted"), description: t("userDeletedHelp") });
      revalidate();
    };
    const timer = setInterval(() => {
      ask().catch((error: unknown) => {
        console.warn("asking after a deletion failed", error);
      });
    }, ASK_EVERY_MS);
    return () => {
      clearInterval(timer);
    };
  }, [awaited, revalidate, t]);

  return useCallback((userId) => {
    setAwaited((ids) => (ids.includes(userId) ? ids : [...ids, userId]));
  }, []);
}
