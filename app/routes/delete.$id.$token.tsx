import { data, type HeadersFunction, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { loadTexts } from "#app/lib/i18n/messages.server.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { titleMeta } from "#app/lib/page-title.ts";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { Page } from "#app/ui/page.tsx";

// Without a referrer, a form's origin is "null" (Fetch standard), which the server refuses as another site's.
const PRIVATE = { "x-robots-tag": "noindex", "cache-control": "private, no-store", "referrer-policy": "same-origin" };

export const loader = async ({ params, request, context }: LoaderFunctionArgs) => {
  const name = await context.findDeletableName(params.id ?? "", params.token ?? "");
  const texts = loadTexts(request, (t) => t(name === null ? "gone" : "title"), "deletion");
  return data({ name, ...texts }, { status: name === null ? 404 : 200, headers: PRIVATE });
};

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta = titleMeta({ robots: "noindex", referrer: "same-origin" });

/** The page of the address in `X-Url-Delete`. The page's form posts to the same address, without scripts too. */
export default function Delete() {
  const t = useMessages("deletion");
  const tCommon = useMessages("common");
  const { name } = useLoaderData<typeof loader>();
  if (name === null)
    return (
      <Page title={t("gone")} lead={t("goneHelp")}>
        <Link to="/" className={`${buttonClass("quiet")} justify-self-start`}>
          {tCommon("goHome")}
        </Link>
      </Page>
    );
  return (
    <Page title={t("title")} lead={t("lead", { name })}>
      <form method="post">
        <Button type="submit" look="danger">
          {t("confirm")}
        </Button>
      </form>
    </Page>
  );
}
