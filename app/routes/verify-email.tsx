import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Link, useSearchParams } from "@remix-run/react";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { readCheckoutAttempt } from "#app/features/billing/checkout-attempt.ts";
import { call } from "#app/lib/api.ts";
import { useAuthDialog } from "#app/lib/auth-dialog.ts";
import { loadTexts } from "#app/lib/i18n/messages.server.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { titleMeta } from "#app/lib/page-title.ts";
import { useCurrentUser } from "#app/lib/session.ts";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { Page } from "#app/ui/page.tsx";
import { planOf } from "#domain/plans.ts";

export const loader = ({ request }: LoaderFunctionArgs) => loadTexts(request, (t) => t("verifyTitle"), "account");

export const meta = titleMeta({ robots: "noindex", referrer: "no-referrer" });

/** The script redeems the token, not the loader, because mail programs that prefetch links would use up the token. */
export default function VerifyEmail() {
  const t = useMessages("account");
  const tCommon = useMessages("common");
  const [search] = useSearchParams();
  const token = search.get("token") ?? "";
  const user = useCurrentUser();
  const openAuth = useAuthDialog();
  const { mutate, data, error } = useMutation({
    mutationFn: (token: string) => call("GET /api/auth/verify-email", { query: { token } }),
  });
  const hasStarted = useRef(false);
  useEffect(() => {
    if (token === "" || hasStarted.current) return;
    hasStarted.current = true;
    mutate(token);
  }, [mutate, token]);

  if (error || token === "") {
    return (
      <Page title={t("linkBroken")}>
        <Card>
          {error && <p role="alert">{error.message}</p>}
          <p className="text-muted not-first:mt-2">{t("linkBrokenHelp")}</p>
          <Button className="mt-5" onClick={() => openAuth({ tab: "login" })}>
            {tCommon("logIn")}
          </Button>
        </Card>
      </Page>
    );
  }
  if (!data) return <Page title={t("verifying")}>{null}</Page>;
  return (
    <Page title={t("verified")} lead={data.email}>
      <Card>
        {user ? <NextSteps /> : <Button onClick={() => openAuth({ tab: "login" })}>{tCommon("logIn")}</Button>}
      </Card>
    </Page>
  );
}

function NextSteps() {
  const t = useMessages("account");
  const chosenPlan = readCheckoutAttempt();
  return (
    <div className="flex flex-wrap gap-3">
      {chosenPlan && (
        <Link to="/pricing" className={buttonClass()}>
          {t("goOnToPlan", { plan: planOf(chosenPlan).name })}
        </Link>
      )}
      <Link to="/dashboard" className={buttonClass(chosenPlan ? "quiet" : "primary")}>
        {t("goToFiles")}
      </Link>
    </div>
  );
}
