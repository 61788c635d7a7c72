import { loadMailedPage } from "#app/features/account/mailed-page.server.ts";
import { ContactHint, MailedButton, mailedPageMeta } from "#app/features/account/mailed-page.tsx";
import { call } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";

export const loader = loadMailedPage("keepFactorTitle");

export const meta = mailedPageMeta;

/** The page to which the mail about the removal of a second factor links. */
export default function KeepFactor() {
  const t = useMessages("security");
  return (
    <MailedButton
      title={t("keepFactorTitle")}
      help={t("keepFactorHelp")}
      label={t("keepFactor")}
      send={(token: string) => call("POST /api/auth/keep-factor", { body: { token } })}
      done={{ title: t("keepFactorDone"), text: () => t("keepFactorDoneHelp") }}
      ended={<ContactHint />}
      endsEverything={false}
    />
  );
}
