import { useMutation } from "@tanstack/react-query";
import { useSearchParams } from "@remix-run/react";
import type { ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { Page } from "#app/ui/page.tsx";

interface MailedButtonProps<Answer> {
  title: string;
  /** What the button does. */
  help: string;
  label: string;
  /** @param token of the mailed link */
  send(token: string): Promise<Answer>;
  /** Shown afterwards. */
  done: { title: string; text(answer: Answer): ReactNode };
  /** Whether the button signs out everywhere. That leaves webhooks behind, which the person should look at. */
  endsEverything?: boolean;
}

/** The page of a mailed link that changes something. It has a button, because scanners open links but press nothing. */
export function MailedButton<Answer>({
  title,
  help,
  label,
  send,
  done,
  endsEverything = true,
}: MailedButtonProps<Answer>) {
  const t = useMessages("security");
  const [search] = useSearchParams();
  const { mutate, data, error, isPending, isSuccess } = useMutation({
    mutationFn: () => send(search.get("token") ?? ""),
  });
  if (isSuccess) {
    return (
      <Page title={done.title} lead={done.text(data)}>
        {endsEverything && (
          <Card>
            <p>{t("webhooksHint")}</p>
          </Card>
        )}
      </Page>
    );
  }
  return (
    <Page title={title} lead={help}>
      <Card>
        {error && (
          <p role="alert" className="mb-4 rounded-xl border border-danger bg-sunken p-3.5 text-sm">
            {error.message}
          </p>
        )}
        <Button
          look={endsEverything ? "danger" : "primary"}
          disabled={isPending}
          onClick={() => {
            mutate();
          }}
        >
          {isPending ? t("working") : label}
        </Button>
      </Card>
    </Page>
  );
}
