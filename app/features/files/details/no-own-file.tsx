import { Link } from "@remix-run/react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { Page } from "#app/ui/page.tsx";
import type { OwnFileView } from "#worker/page-types.ts";

/** What has not arrived yet, or is gone. */
export function NoOwnFile({ view }: { view: Exclude<OwnFileView, { kind: "file" }> }) {
  const t = useMessages("ownFile");
  const isMissing = view.kind === "missing";
  return (
    <Page title={t(isMissing ? "missingTitle" : "unfinishedTitle")}>
      <Card>
        <p className="mb-5 break-words">
          {isMissing ? t("missingHelp") : t("unfinishedHelp", { filename: view.name })}
        </p>
        <Link to="/dashboard" className={buttonClass("quiet")}>
          {t("toFiles")}
        </Link>
      </Card>
    </Page>
  );
}
