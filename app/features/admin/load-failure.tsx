import { useRevalidator } from "@remix-run/react";
import type { FailedTab } from "#app/features/admin/read-tab.server.ts";
import { failureOf } from "#app/features/admin/tabs.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Notice } from "#app/ui/notice.tsx";
import { BackToUsers } from "./back-to-users.tsx";

/** A list that could not be loaded, and asking for it again. */
export function LoadFailure({ tab, message }: FailedTab) {
  const t = useMessages("admin");
  const { revalidate } = useRevalidator();
  const { title, text } = failureOf(tab, t);
  return (
    <>
      {tab === "files" && <BackToUsers />}
      <Notice title={title} action={{ label: t("retry"), onClick: revalidate }}>
        {message || text}
      </Notice>
    </>
  );
}
