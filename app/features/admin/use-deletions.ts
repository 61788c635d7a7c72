import { useRevalidator } from "@remix-run/react";
import { useCallback, useEffect, useState } from "react";
import { toast } from "#app/ui/toast.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { SECOND_MS } from "#domain/units.ts";
import type { AdminUser } from "#domain/wire.ts";
import { adminApi } from "./admin-api.ts";

const POLL_MS = 3 * SECOND_MS;

/**
 * Polls the accounts that are being deleted and shows a toast when one is gone (decision 012).
 * @returns adds one account: its deletion may end before the list shows it as deleting
 */
export function useDeletions(users: AdminUser[]): (userId: string) => void {
  const t = useMessages("admin");
  const { revalidate } = useRevalidator();
  const [pendingIds, setPendingIds] = useState<readonly string[]>([]);
  // Keep polling an account when the list no longer shows it.
  const newUsers = users.filter(({ id, isDeleting }) => isDeleting && !pendingIds.includes(id));
  if (newUsers.length > 0) setPendingIds([...pendingIds, ...newUsers.map(({ id }) => id)]);

  useEffect(() => {
    if (pendingIds.length === 0) return;
    const poll = async () => {
      const answers = await Promise.all(pendingIds.map(async (id) => ((await adminApi.isUserGone(id)) ? [id] : [])));
      const goneIds = new Set(answers.flat());
      if (goneIds.size === 0) return;
      setPendingIds((ids) => ids.filter((id) => !goneIds.has(id)));
      toast({ title: t("userDeleted"), description: t("userDeletedHelp") });
      revalidate();
    };
    const timer = setInterval(() => {
      poll().catch((error: unknown) => {
        console.warn("asking after a deletion failed", error);
      });
    }, POLL_MS);
    return () => {
      clearInterval(timer);
    };
  }, [pendingIds, revalidate, t]);

  return useCallback((userId) => {
    setPendingIds((ids) => (ids.includes(userId) ? ids : [...ids, userId]));
  }, []);
}
