import { useRevalidator } from "@remix-run/react";
import type { FailedTab } from "#app/admin/read-tab.server.ts";
import { failureOf } from "#app/admin/tabs.ts";
import { useMessages } from "#app/messages/messages.ts";
import { Notice } from "../ui/notice.tsx";
import { BackToUsers } from "./back-to-users.tsx";

/** A list that could not be loaded, and asking for it again. */
export function LoadFailure({ tab, message }: FailedTab) {
  const say = useMessages("office");
  const { revalidate } = useRevalidator();
  const { title, text } = failureOf(tab, say);
  return (
    <>
      {tab === "files" && <BackToUsers />}
      <Notice title={title} action={{ label: say("retry"), onClick: revalidate }}>
        {message || text}
      </Notice>
    </>
  );
}
