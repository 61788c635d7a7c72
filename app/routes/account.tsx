import { redirect, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { ChangeEmail } from "#app/components/account/change-email.tsx";
import { ChangePassword } from "#app/components/account/change-password.tsx";
import { DeleteAccount } from "#app/components/account/delete-account.tsx";
import { Sessions } from "#app/components/account/sessions.tsx";
import { Page } from "#app/components/page.tsx";
import { buttonClass } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { messagesFor, sayFor } from "#app/messages/messages.server.ts";
import { useMessages } from "#app/messages/messages.ts";
import { useCurrentUser } from "#app/session.ts";
import { PRODUCT_NAME } from "#domain/brand.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) => [{ title: data?.title ?? PRODUCT_NAME }];

export const loader = async ({ request, context }: LoaderFunctionArgs) => {
  const user = await context.currentUser();
  if (!user) throw redirect("/login?returnTo=/account");
  const title = `${sayFor(request, "account")("title")} · ${PRODUCT_NAME}`;
  return { user, title, messages: messagesFor(request, "account") };
};

export default function Account() {
  const say = useMessages("account");
  const { user } = useLoaderData<typeof loader>();
  const current = useCurrentUser() ?? user;
  return (
    <Page title={say("heading")} lead={current.email}>
      <ChangeEmail />
      <ChangePassword />
      <Sessions />
      <Billing />
      <DeleteAccount />
    </Page>
  );
}

function Billing() {
  const say = useMessages("account");
  return (
    <Card>
      <h2 className="text-lg font-medium">{say("billing")}</h2>
      <p className="mt-1 mb-4 text-muted">{say("billingHelp")}</p>
      <Link to="/account/billing-history" className={buttonClass("quiet")}>
        {say("billingHistory")}
      </Link>
    </Card>
  );
}
