import { loadMailedPage } from "#app/features/account/mailed-page.server.ts";
import { MailedButton, mailedPageMeta } from "#app/features/account/mailed-page.tsx";
import { call } from "#app/lib/api.ts";
import { useAuthDialog } from "#app/lib/auth-dialog.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";

export const loader = loadMailedPage("notMeTitle");

export const meta = mailedPageMeta;

/** The page to which the mail about a sign-in from a new device links. */
export default function NotMe() {
  const t = useMessages("security");
  const tSignIn = useMessages("signIn");
  const openAuth = useAuthDialog();
  return (
    <MailedButton
      title={t("notMeTitle")}
      help={t("notMeHelp")}
      label={t("notMe")}
      send={(token: string) => call("POST /api/auth/not-me", { body: { token } })}
      done={{ title: t("notMeDone"), text: () => t("notMeDoneHelp") }}
      ended={
        <>
          <p>{t("notMeEnded")}</p>
          <Button
            look="quiet"
            className="justify-self-start"
            onClick={() => openAuth({ tab: "login", first: "reset" })}
          >
            {tSignIn("forgotPassword")}
          </Button>
        </>
      }
    />
  );
}
