import { redirect, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { ChangeEmail } from "#app/components/account/change-email.tsx";
import { ChangePassword } from "#app/components/account/change-password.tsx";
import { DeleteAccount } from "#app/components/account/delete-account.tsx";
import { Sessions } from "#app/components/account/sessions.tsx";
import { Page } from "#app/components/page.tsx";
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
      <DeleteAccount />
    </Page>
  );
}
