import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useNavigate, useSearchParams } from "@remix-run/react";
import { useState } from "react";
import { NewPasswordFields } from "#app/features/account/new-password-fields.tsx";
import { call } from "#app/lib/api.ts";
import { messageOf } from "#app/lib/form-errors.ts";
import { loadTexts } from "#app/lib/i18n/messages.server.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { titleMeta } from "#app/lib/page-title.ts";
import { useForm } from "#app/lib/use-form.ts";
import { Card } from "#app/ui/card.tsx";
import { Form } from "#app/ui/form.tsx";
import { Page } from "#app/ui/page.tsx";
import { toast } from "#app/ui/toast.ts";
import { newPasswordForm } from "#domain/wire.ts";

export const loader = ({ request }: LoaderFunctionArgs) => loadTexts(request, (t) => t("resetTitle"), "account");

export const meta = titleMeta({ robots: "noindex", referrer: "no-referrer" });

export default function ResetPassword() {
  const t = useMessages("account");
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const [error, setError] = useState("");
  const { field, ...form } = useForm(newPasswordForm, {
    send: async ({ newPassword }) => {
      setError("");
      await call("POST /api/auth/reset-password", { body: { newPassword, token: search.get("token") ?? "" } });
      toast({ title: t("passwordChanged"), description: t("passwordSetHelp") });
      navigate("/login");
    },
    onError: (cause) => setError(messageOf(cause, t("resetFailed"))),
  });

  return (
    <Page title={t("resetTitle")} lead={t("resetLead")}>
      <Card>
        <Form {...form} button={[t("setPassword"), t("saving")]}>
          {error && (
            <p role="alert" className="rounded-xl border border-danger bg-sunken p-3.5 text-sm">
              {error}
            </p>
          )}
          <NewPasswordFields field={field} />
        </Form>
      </Card>
    </Page>
  );
}
