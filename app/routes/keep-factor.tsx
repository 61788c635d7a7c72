import { ContactHint, MailedButton, mailedPageMeta } from "#app/features/account/mailed-page.tsx";
import { loadMailedPage } from "#app/features/account/mailed-page.server.ts";
import { securityApi } from "#app/features/account/security-api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";

export const loader = loadMailedPage("keepFactorTitle");

export const meta = mailedPageMeta;

/** What the mail about the removal of a second factor leads to. */
export default function KeepFactor() {
  const t = useMessages("security");
  return (
    <MailedButton
      title={t("keepFactorTitle")}
      help={t("keepFactorHelp")}
      label={t("keepFactor")}
      send={securityApi.keepFactor}
      done={{ title: t("keepFactorDone"), text: () => t("keepFactorDoneHelp") }}
      ended={<ContactHint />}
      endsEverything={false}
    />
  );
}
