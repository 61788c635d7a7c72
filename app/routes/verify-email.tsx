import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Link, useSearchParams } from "@remix-run/react";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { accountApi } from "#app/features/account/account-api.ts";
import { readCheckoutAttempt } from "#app/features/billing/checkout-attempt.ts";
import { useAuthDialog } from "#app/lib/auth-dialog.ts";
import { Page } from "#app/ui/page.tsx";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { loadMessages, requestTranslator } from "#app/lib/i18n/messages.server.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useCurrentUser } from "#app/lib/session.ts";
import { PRODUCT_NAME } from "#domain/brand.ts";
import { planOf } from "#domain/plans.ts";

export const loader = ({ request }: LoaderFunctionArgs) => ({
  title: `${requestTranslator(request, "account")("verifyTitle")} · ${PRODUCT_NAME}`,
  messages: loadMessages(request, "account"),
});

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: data?.title ?? PRODUCT_NAME },
  { name: "robots", content: "noindex" },
  { name: "referrer", content: "no-referrer" },
];

/**
 * Where the mailed link leads. The token is used by the page's script, not by opening the address: mail programs that
 * look at links ahead of their reader would use it up.
 */
export default function VerifyEmail() {
  const t = useMessages("account");
  const sayCommon = useMessages("common");
  const [search] = useSearchParams();
  const token = search.get("token") ?? "";
  const user = useCurrentUser();
  const openAuth = useAuthDialog();
  const { mutate, data, error } = useMutation({ mutationFn: accountApi.verifyEmail });
  const asked = useRef(false);
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    mutate(token);
  }, [mutate, token]);

  if (error) {
    return (
      <Page title={t("linkBroken")}>
        <Card>
          <p role="alert">{error.message}</p>
          <p className="mt-2 text-muted">{t("linkBrokenHelp")}</p>
          <Button
            className="mt-5"
            onClick={() => {
              openAuth({ tab: "login" });
            }}
          >
            {sayCommon("logIn")}
          </Button>
        </Card>
      </Page>
    );
  }
  if (!data) return <Page title={t("verifying")}>{null}</Page>;
  return (
    <Page title={t("verified")} lead={data.email}>
      <Card>
        {user ? (
          <GoOn />
        ) : (
          <Button
            onClick={() => {
              openAuth({ tab: "login" });
            }}
          >
            {sayCommon("logIn")}
          </Button>
        )}
      </Card>
    </Page>
  );
}

/** Whoever signed up to buy a plan goes back to it. */
function GoOn() {
  const t = useMessages("account");
  const wanted = readCheckoutAttempt();
  return (
    <div className="flex flex-wrap gap-3">
      {wanted && (
        <Link to="/pricing" className={buttonClass()}>
          {t("goOnToPlan", { plan: planOf(wanted).name })}
        </Link>
      )}
      <Link to="/dashboard" className={buttonClass(wanted ? "quiet" : "primary")}>
        {t("goToFiles")}
      </Link>
    </div>
  );
}
