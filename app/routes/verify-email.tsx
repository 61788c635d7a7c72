import type { MetaFunction } from "@remix-run/cloudflare";
import { Link, useSearchParams } from "@remix-run/react";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { api } from "#app/api.ts";
import { readCheckoutAttempt } from "#app/billing/checkout-attempt.ts";
import { useAuthDialog } from "#app/components/auth-dialog-context.ts";
import { Page } from "#app/components/page.tsx";
import { Button, buttonClass } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { useCurrentUser } from "#app/session.ts";
import { PRODUCT_NAME } from "#domain/brand.ts";
import { planOf } from "#domain/plans.ts";

export const meta: MetaFunction = () => [
  { title: `Confirm your address · ${PRODUCT_NAME}` },
  { name: "robots", content: "noindex" },
  { name: "referrer", content: "no-referrer" },
];

/**
 * Where the mailed link leads. The token is used by the page's script, not by opening the address: mail programs that
 * look at links ahead of their reader would use it up.
 */
export default function VerifyEmail() {
  const [search] = useSearchParams();
  const token = search.get("token") ?? "";
  const user = useCurrentUser();
  const openAuth = useAuthDialog();
  const { mutate, data, error } = useMutation({ mutationFn: api.verifyEmail });
  const asked = useRef(false);
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    mutate(token);
  }, [mutate, token]);

  if (error) {
    return (
      <Page title="This link does not work">
        <Card>
          <p role="alert">{error.message}</p>
          <p className="mt-2 text-muted">Log in with your address and password to have the mail sent again.</p>
          <Button
            className="mt-5"
            onClick={() => {
              openAuth({ tab: "login" });
            }}
          >
            Log In
          </Button>
        </Card>
      </Page>
    );
  }
  if (!data) return <Page title="Confirming your address…">{null}</Page>;
  return (
    <Page title="Your address is confirmed" lead={data.email}>
      <Card>
        {user ? (
          <GoOn />
        ) : (
          <Button
            onClick={() => {
              openAuth({ tab: "login" });
            }}
          >
            Log In
          </Button>
        )}
      </Card>
    </Page>
  );
}

/** Whoever signed up to buy a plan goes back to it. */
function GoOn() {
  const wanted = readCheckoutAttempt();
  return (
    <div className="flex flex-wrap gap-3">
      {wanted && (
        <Link to="/pricing" className={buttonClass()}>
          Go on to the {planOf(wanted).name} plan
        </Link>
      )}
      <Link to="/dashboard" className={buttonClass(wanted ? "quiet" : "primary")}>
        Go to your files
      </Link>
    </div>
  );
}
