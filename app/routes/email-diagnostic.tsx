import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
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
import { testEmailRequest } from "#domain/wire.ts";

export const loader = ({ request }: LoaderFunctionArgs) => ({
  title: `${sayFor(request, "emailDiagnostic")("title")} · ${PRODUCT_NAME}`,
  messages: messagesFor(request, "emailDiagnostic"),
});

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: data?.title ?? PRODUCT_NAME },
  { name: "robots", content: "noindex" },
];

const SAMPLE_ADDRESS = "test@example.com";

interface Result {
  outcome: "success" | "error";
  message: string;
}

export default function EmailDiagnostic() {
  const say = useMessages("emailDiagnostic");
  const [result, setResult] = useState<Result | null>(null);
  const { errors, busy, onSubmit } = useForm(testEmailRequest, {
    send: async ({ email }) => {
      setResult(null);
      const { message } = await api.sendTestEmail(email);
      setResult({ outcome: "success", message });
      toast({ title: say("successful"), description: message });
    },
    onError: (error) => {
      setResult({ outcome: "error", message: messageOf(error, say("failedText")) });
      toast({ title: say("failed"), description: say("failedText"), tone: "bad" });
    },
  });
  return (
    <Page title={say("title")} lead={say("lead")}>
      <Card>
        <p className="mb-5 text-muted">{say("text")}</p>
        <form className="grid gap-4" noValidate onSubmit={onSubmit}>
          <Field label={say("email")} name="email" type="email" defaultValue={SAMPLE_ADDRESS} error={errors.email} />
          <Button type="submit" className="justify-self-start" disabled={busy}>
            {say(busy ? "sending" : "send")}
          </Button>
        </form>
        <ResultBanner result={result} />
      </Card>
    </Page>
  );
}

function ResultBanner({ result }: { result: Result | null }) {
  const say = useMessages("emailDiagnostic");
  return (
    <div role="status">
      {result && (
        <p
          className={`mt-5 rounded-xl border bg-sunken p-3.5 break-words ${result.outcome === "success" ? "border-reed" : "border-danger"}`}
        >
          <strong className="font-medium">{say(result.outcome)}:</strong> {result.message}
        </p>
      )}
    </div>
  );
}
