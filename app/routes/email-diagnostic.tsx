import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useState } from "react";
import { call } from "#app/lib/api.ts";
import { messageOf } from "#app/lib/form-errors.ts";
import { loadTexts } from "#app/lib/i18n/messages.server.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { titleMeta } from "#app/lib/page-title.ts";
import { useForm } from "#app/lib/use-form.ts";
import { Card } from "#app/ui/card.tsx";
import { FormField } from "#app/ui/form-field.tsx";
import { Form } from "#app/ui/form.tsx";
import { Page } from "#app/ui/page.tsx";
import { toast } from "#app/ui/toast.ts";
import { testEmailRequest } from "#domain/wire.ts";

export const loader = ({ request }: LoaderFunctionArgs) => loadTexts(request, (t) => t("title"), "emailDiagnostic");

export const meta = titleMeta({ robots: "noindex" });

const SAMPLE_ADDRESS = "test@example.com";

interface Result {
  outcome: "success" | "error";
  message: string;
}

export default function EmailDiagnostic() {
  const t = useMessages("emailDiagnostic");
  const [result, setResult] = useState<Result | null>(null);
  const { field, ...form } = useForm(testEmailRequest, {
    send: async ({ email }) => {
      setResult(null);
      const { message } = await call("POST /api/diagnostic/send-test-email", { body: { email } });
      setResult({ outcome: "success", message });
      toast({ title: t("successful"), description: message });
    },
    onError: (error) => {
      setResult({ outcome: "error", message: messageOf(error, t("failedText")) });
      toast({ title: t("failed"), description: t("failedText"), tone: "bad" });
    },
  });
  return (
    <Page title={t("title")} lead={t("lead")}>
      <Card>
        <p className="mb-5 text-muted">{t("text")}</p>
        <Form {...form} button={[t("send"), t("sending")]} fit>
          <FormField label={t("email")} type="email" defaultValue={SAMPLE_ADDRESS} {...field("email")} />
        </Form>
        <ResultBanner result={result} />
      </Card>
    </Page>
  );
}

function ResultBanner({ result }: { result: Result | null }) {
  const t = useMessages("emailDiagnostic");
  return (
    <div role="status">
      {result && (
        <p
          className={`mt-5 rounded-xl border bg-sunken p-3.5 break-words ${result.outcome === "success" ? "border-reed" : "border-danger"}`}
        >
          <strong className="font-medium">{t(result.outcome)}:</strong> {result.message}
        </p>
      )}
    </div>
  );
}
