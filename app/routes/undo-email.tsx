import { loadMailedPage } from "#app/features/account/mailed-page.server.ts";
import { ContactHint, MailedButton, mailedPageMeta } from "#app/features/account/mailed-page.tsx";
import { call } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";

export const loader = loadMailedPage("undoTitle");

export const meta = mailedPageMeta;

/** The page to which the mail about a changed address links. */
export default function UndoEmail() {
  const t = useMessages("security");
  return (
    <MailedButton
      title={t("undoTitle")}
      help={t("undoHelp")}
      label={t("undo")}
      send={(token: string) => call("POST /api/auth/change-email/undo", { body: { token } })}
      done={{ title: t("undoDone"), text: ({ email }) => t("undoDoneHelp", { email }) }}
      ended={<ContactHint />}
    />
  );
}
