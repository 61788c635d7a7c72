import { useQuery } from "@tanstack/react-query";
import { accountApi } from "#app/features/account/account-api.ts";
import { describeProviderError } from "#app/features/account/provider-error.ts";
import { usePassedOn } from "#app/features/account/use-passed-on.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button, buttonClass } from "#app/ui/button.tsx";

interface OtherWaysInProps {
  /** What the person has typed so far. */
  emailNow(): string;
  /** Where a sign-in by a provider ends; null: on this page. */
  returnTo: string | null;
  onMailLink(email: string): void;
}

/** Buttons for providers and for a link by mail, where this deployment has them. */
export function OtherWaysIn({ emailNow, returnTo, onMailLink }: OtherWaysInProps) {
  const t = useMessages("signIn");
  const error = usePassedOn("error");
  const { data } = useQuery({ queryKey: ["/api/auth/providers", "visitor"], queryFn: accountApi.waysIn });
  const refusal = describeProviderError(error, t);
  return (
    <>
      {refusal !== null && (
        <p role="alert" className="rounded-xl border border-danger bg-sunken p-3.5 text-sm">
          {refusal}
        </p>
      )}
      {data && (data.mailLinks || data.providers.length > 0) && (
        <div className="grid gap-2">
          <p className="text-center text-sm text-muted">{t("orUse")}</p>
          {data.providers.map(({ name, label }) => (
            <a
              key={name}
              href={`/api/auth/provider/${name}?${returnSearch(returnTo)}`}
              className={buttonClass("quiet", true)}
            >
              {t("withProvider", { provider: label })}
            </a>
          ))}
          {data.mailLinks && (
            <Button
              look="quiet"
              wide
              onClick={() => {
                onMailLink(emailNow());
              }}
            >
              {t("byMail")}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

/** Without a wish, back to the page on which the dialog was opened. The home page has nothing to go back to. */
function returnSearch(wish: string | null): string {
  const { pathname, search } = window.location;
  const returnTo = wish ?? (pathname === "/" ? null : pathname + search);
  return returnTo === null ? "" : new URLSearchParams({ returnTo }).toString();
}
