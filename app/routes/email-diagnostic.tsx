import type { MetaFunction } from "@remix-run/cloudflare";
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
import { testEmailRequest } from "#domain/wire.ts";

export const meta: MetaFunction = () => [
  { title: `Email diagnostic · ${PRODUCT_NAME}` },
  { name: "robots", content: "noindex" },
];

const SAMPLE_ADDRESS = "test@example.com";
const FAILURE = "There was an error sending the test email. Check the logs for details.";

interface Result {
  outcome: "Success" | "Error";
  message: string;
}

export default function EmailDiagnostic() {
  const [result, setResult] = useState<Result | null>(null);
  const { errors, busy, onSubmit } = useForm(testEmailRequest, {
    send: async ({ email }) => {
      setResult(null);
      const { message } = await api.sendTestEmail(email);
      setResult({ outcome: "Success", message });
      toast({
        title: "Email Test Successful",
        description: "The test email was sent successfully. Check the specified inbox.",
      });
    },
    onError: (error) => {
      setResult({ outcome: "Error", message: messageOf(error, FAILURE) });
      toast({ title: "Email Test Failed", description: FAILURE, tone: "bad" });
    },
  });
  return (
    <Page title="Email diagnostic" lead="Verification emails are sent through an email delivery provider.">
      <Card>
        <p className="mb-5 text-muted">
          Send a test mail to see whether it arrives. Only administrators can do this: log in as one first.
        </p>
        <form className="grid gap-4" noValidate onSubmit={onSubmit}>
          <Field label="Email" name="email" type="email" defaultValue={SAMPLE_ADDRESS} error={errors.email} />
          <Button type="submit" className="justify-self-start" disabled={busy}>
            {busy ? "Sending Test Email..." : "Send Test Verification Email"}
          </Button>
        </form>
        <ResultBanner result={result} />
      </Card>
    </Page>
  );
}

function ResultBanner({ result }: { result: Result | null }) {
  return (
    <div role="status">
      {result && (
        <p
          className={`mt-5 rounded-xl border bg-sunken p-3.5 break-words ${result.outcome === "Success" ? "border-reed" : "border-danger"}`}
        >
          <strong className="font-medium">{result.outcome}:</strong> {result.message}
        </p>
      )}
    </div>
  );
}
