import { useLocation, useNavigate } from "@remix-run/react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { loadMailedPage } from "#app/features/account/mailed-page.server.ts";
import { mailedPageMeta } from "#app/features/account/mailed-page.tsx";
import { call } from "#app/lib/api.ts";
import { useAuthDialog } from "#app/lib/auth-dialog.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useSignedIn } from "#app/lib/session.ts";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { FormCheckbox } from "#app/ui/form-field.tsx";
import { Page } from "#app/ui/page.tsx";

export const loader = loadMailedPage("linkTitle");

export const meta = mailedPageMeta;

/**
 * The page of a mailed sign-in link. The token is in the fragment, which no server sees. Only a click on the button
 * uses the token, because mail scanners open links and even run their pages' scripts.
 */
export default function SignInLink() {
  const t = useMessages("security");
  const { hash } = useLocation();
  const navigate = useNavigate();
  const signedIn = useSignedIn();
  const openAuth = useAuthDialog();
  const [rememberMe, setRememberMe] = useState(false);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => call("POST /api/auth/mail-link/use", { body: { token: hash.slice(1), rememberMe } }),
    onSuccess: ({ user, secondFactor }) => {
      if (user) {
        signedIn(user);
        navigate("/dashboard", { replace: true });
      } else navigate(`/login?secondFactor=${secondFactor?.methods.join(",") ?? ""}`, { replace: true });
    },
  });
  return (
    <Page title={t("linkTitle")} lead={t("linkHelp")}>
      <Card>
        {error && (
          <div role="alert" className="mb-4 grid gap-3 rounded-xl border border-danger bg-sunken p-3.5 text-sm">
            <p>{error.message}</p>
            <Button
              look="quiet"
              className="justify-self-start"
              onClick={() =>
                openAuth({
                  tab: "login",
                  first: "mailLink",
                  onSuccess: () => navigate("/dashboard", { replace: true }),
                })
              }
            >
              {t("newLink")}
            </Button>
          </div>
        )}
        <FormCheckbox checked={rememberMe} onChange={(event) => setRememberMe(event.target.checked)}>
          {t("stayHere")}
        </FormCheckbox>
        <Button className="mt-2" busy={isPending} onClick={() => mutate()}>
          {t(isPending ? "working" : "linkSignIn")}
        </Button>
      </Card>
    </Page>
  );
}
