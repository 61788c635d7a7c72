import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useNavigate, useSearchParams } from "@remix-run/react";
import { useState } from "react";
import { api } from "#app/api.ts";
import { Page } from "#app/components/page.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Field } from "#app/components/ui/field.tsx";
import { toast } from "#app/components/ui/toast.tsx";
import { messageOf } from "#app/forms.ts";
import { messagesFor, sayFor } from "#app/messages/messages.server.ts";
import { useMessages } from "#app/messages/messages.ts";
import { useForm } from "#app/use-form.ts";
import { PRODUCT_NAME } from "#domain/brand.ts";
import { newPasswordForm } from "#domain/wire.ts";

export const loader = ({ request }: LoaderFunctionArgs) => ({
  title: `${sayFor(request, "account")("resetTitle")} · ${PRODUCT_NAME}`,
  messages: messagesFor(request, "account"),
});

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: data?.title ?? PRODUCT_NAME },
  { name: "robots", content: "noindex" },
  { name: "referrer", content: "no-referrer" },
];

export default function ResetPassword() {
  const say = useMessages("account");
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const [failure, setFailure] = useState("");
  const { errors, busy, onSubmit } = useForm(newPasswordForm, {
    send: async ({ newPassword }) => {
      setFailure("");
      await api.setNewPassword({ newPassword, token: search.get("token") ?? "" });
      toast({ title: say("passwordChanged"), description: say("passwordSetHelp") });
      navigate("/login");
    },
    onError: (error) => {
      setFailure(messageOf(error, say("resetFailed")));
    },
  });

  return (
    <Page title={say("resetTitle")} lead={say("resetLead")}>
      <Card>
        <form className="grid gap-4" noValidate onSubmit={onSubmit}>
          {failure && (
            <p role="alert" className="rounded-xl border border-danger bg-sunken p-3.5 text-sm">
              {failure}
            </p>
          )}
          <Field
            label={say("newPassword")}
            name="newPassword"
            type="password"
            autoComplete="new-password"
            error={errors.newPassword}
          />
          <Field
            label={say("confirmNewPassword")}
            name="confirmPassword"
            type="password"
            autoComplete="new-password"
            error={errors.confirmPassword}
          />
          <Button type="submit" disabled={busy}>
            {say(busy ? "saving" : "setPassword")}
          </Button>
        </form>
      </Card>
    </Page>
  );
}
