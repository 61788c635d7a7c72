import type { MetaFunction } from "@remix-run/cloudflare";
import { useNavigate, useSearchParams } from "@remix-run/react";
import { useState } from "react";
import { api } from "#app/api.ts";
import { Page } from "#app/components/page.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Field } from "#app/components/ui/field.tsx";
import { toast } from "#app/components/ui/toast.tsx";
import { messageOf } from "#app/forms.ts";
import { useForm } from "#app/use-form.ts";
import { PRODUCT_NAME } from "#domain/brand.ts";
import { newPasswordForm } from "#domain/wire.ts";

export const meta: MetaFunction = () => [
  { title: `Set a new password · ${PRODUCT_NAME}` },
  { name: "robots", content: "noindex" },
  { name: "referrer", content: "no-referrer" },
];

export default function ResetPassword() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const [failure, setFailure] = useState("");
  const { errors, busy, onSubmit } = useForm(newPasswordForm, {
    send: async ({ newPassword }) => {
      setFailure("");
      const { message } = await api.setNewPassword({ newPassword, token: search.get("token") ?? "" });
      toast({ title: "Password changed", description: message });
      navigate("/login");
    },
    onError: (error) => {
      setFailure(messageOf(error, "The password could not be changed. Please try again."));
    },
  });

  return (
    <Page title="Set a new password" lead="Every session of your account ends, on every device.">
      <Card>
        <form className="grid gap-4" noValidate onSubmit={onSubmit}>
          {failure && (
            <p role="alert" className="rounded-xl border border-danger bg-sunken p-3.5 text-sm">
              {failure}
            </p>
          )}
          <Field
            label="New password"
            name="newPassword"
            type="password"
            autoComplete="new-password"
            error={errors.newPassword}
          />
          <Field
            label="Confirm new password"
            name="confirmPassword"
            type="password"
            autoComplete="new-password"
            error={errors.confirmPassword}
          />
          <Button type="submit" disabled={busy}>
            {busy ? "Saving…" : "Set password"}
          </Button>
        </form>
      </Card>
    </Page>
  );
}
