import { useRevalidator } from "@remix-run/react";
import type { FailedTab } from "#app/features/admin/load-tab.server.ts";
import { tabErrorMessages } from "#app/features/admin/admin-tabs.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Notice } from "#app/ui/notice.tsx";
import { BackToUsers } from "./back-to-users.tsx";

export function LoadFailure({ tab, message }: FailedTab) {
  const t = useMessages("admin");
  const { revalidate } = useRevalidator();
  const { title, text } = tabErrorMessages(tab, t);
  return (
    <>
      {tab === "files" && <BackToUsers />}
      <Notice title={title} action={{ label: t("retry"), onClick: revalidate }}>
        {message || text}
      </Notice>
    </>
  );
}
