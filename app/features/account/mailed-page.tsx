import { Link, useSearchParams } from "@remix-run/react";
import { useMutation } from "@tanstack/react-query";
import { useEffect, type ReactNode } from "react";
import { ApiError } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { titleMeta } from "#app/lib/page-title.ts";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { Page } from "#app/ui/page.tsx";

/** The head of a mailed link's page. The URL holds a token, so the page is not indexed and sends no referrer. */
export const mailedPageMeta = titleMeta({ robots: "noindex", referrer: "no-referrer" });

interface MailedButtonProps<Answer> {
  title: string;
  /** A text that says what the button does. */
  help: string;
  label: string;
  /** @param token the token of the mailed link */
  send(token: string): Promise<Answer>;
  /** Shown after the button has done its work. */
  done: { title: string; text(answer: Answer): ReactNode };
  /** The text for a used or expired link. The person cannot ask for another link, so the text says what else helps. */
  ended: ReactNode;
  /** Whether the button ends all sessions. Webhooks outlive sessions, so the page asks the person to check them. */
  endsEverything?: boolean;
}

/** The page of a mailed link that changes something. The button is needed because scanners of mail open links. */
export function MailedButton<Answer>({
  title,
  help,
  label,
  send,
  done,
  ended,
  endsEverything = true,
}: MailedButtonProps<Answer>) {
  const t = useMessages("security");
  const [search] = useSearchParams();
  const { mutate, data, error, isPending, isSuccess } = useMutation({
    mutationFn: () => send(search.get("token") ?? ""),
  });
  const isEnded = error instanceof ApiError && error.body.code === "TOKEN_INVALID";
  // Moves the focus to the heading, because the focused button is gone.
  useEffect(() => {
    if (isSuccess || isEnded) focusHeading();
  }, [isSuccess, isEnded]);
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
          <div role="alert" className="grid gap-3 rounded-xl border border-danger bg-sunken p-3.5 text-sm">
            {isEnded ? ended : <p>{error.message}</p>}
          </div>
        )}
        {!isEnded && (
          <Button
            look={endsEverything ? "danger" : "primary"}
            className={error ? "mt-4" : ""}
            busy={isPending}
            onClick={() => mutate()}
          >
            {isPending ? t("working") : label}
          </Button>
        )}
      </Card>
    </Page>
  );
}

function focusHeading(): void {
  const heading = document.querySelector("h1");
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus();
}

/** The help for a mailed link that has ended, if only the people who run the site can help. */
export function ContactHint() {
  const t = useMessages("security");
  const tCommon = useMessages("common");
  return (
    <>
      <p>{t("linkEnded")}</p>
      <Link to="/contact" className={`${buttonClass("quiet")} justify-self-start`}>
        {tCommon("contactUs")}
      </Link>
    </>
  );
}
