import { Link, useSearchParams } from "@remix-run/react";
import { useMutation } from "@tanstack/react-query";
import { useEffect, type ReactNode } from "react";
import { ApiError } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { titleMeta } from "#app/lib/page-title.ts";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { Page } from "#app/ui/page.tsx";

/**
 * The head of a page that a mailed link leads to. The page's address has a token: nobody may index it or learn it from
 * a referrer.
 */
export const mailedPageMeta = titleMeta({ robots: "noindex", referrer: "no-referrer" });

interface MailedButtonProps<Answer> {
  title: string;
  /** What the button does. */
  help: string;
  label: string;
  /** @param token of the mailed link */
  send(token: string): Promise<Answer>;
  /** Shown afterwards. */
  done: { title: string; text(answer: Answer): ReactNode };
  /** What helps somebody whose link was used before or has expired: nobody mails them another one. */
  ended: ReactNode;
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
  ended,
  endsEverything = true,
}: MailedButtonProps<Answer>) {
  const t = useMessages("security");
  const [search] = useSearchParams();
  const { mutate, data, error, isPending, isSuccess } = useMutation({
    mutationFn: () => send(search.get("token") ?? ""),
  });
  const isEnded = error instanceof ApiError && error.body.code === "TOKEN_INVALID";
  // The button that had the focus is gone.
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

/** Moves the focus to the heading, which says what has happened. */
function focusHeading(): void {
  const heading = document.querySelector("h1");
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus();
}

/** For a mailed link that has ended, where only we can help. */
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
