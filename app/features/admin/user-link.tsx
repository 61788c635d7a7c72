import { Link, useLocation } from "@remix-run/react";
import { useMessages } from "#app/lib/i18n/messages.ts";

/** Links to the account's files. @param userId null for a visitor */
export function UserLink({ userId }: { userId: string | null }) {
  const t = useMessages("admin");
  const { pathname } = useLocation();
  if (userId === null) return <span className="text-muted">{t("visitor")}</span>;
  return (
    <Link
      to={`${pathname}?${new URLSearchParams({ tab: "files", user: userId })}`}
      className="font-mono text-xs break-words text-reed underline-offset-4 hover:underline"
    >
      {userId}
    </Link>
  );
}
