import { redirect, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { ChangeEmail } from "#app/components/account/change-email.tsx";
import { ChangePassword } from "#app/components/account/change-password.tsx";
import { DeleteAccount } from "#app/components/account/delete-account.tsx";
import { Sessions } from "#app/components/account/sessions.tsx";
import { Page } from "#app/components/page.tsx";
import { buttonClass } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { useCurrentUser } from "#app/session.ts";
import { PRODUCT_NAME } from "#domain/brand.ts";

export const meta: MetaFunction = () => [{ title: `Account · ${PRODUCT_NAME}` }];

export const loader = async ({ context }: LoaderFunctionArgs) => {
  const user = await context.currentUser();
  if (!user) throw redirect("/login?returnTo=/account");
  return { user };
};

export default function Account() {
  const { user } = useLoaderData<typeof loader>();
  const current = useCurrentUser() ?? user;
  return (
    <Page title="Your account" lead={current.email}>
      <ChangeEmail />
      <ChangePassword />
      <Sessions />
      <Billing />
      <DeleteAccount />
    </Page>
  );
}

function Billing() {
  return (
    <Card>
      <h2 className="text-lg font-medium">Billing</h2>
      <p className="mt-1 mb-4 text-muted">Your plan and what this month has taken of it are on the dashboard.</p>
      <Link to="/account/billing-history" className={buttonClass("quiet")}>
        Billing history
      </Link>
    </Card>
  );
}
