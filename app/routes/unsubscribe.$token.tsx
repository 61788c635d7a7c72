import { data, type HeadersFunction, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { KnownMails } from "#app/features/unsubscribe/known-mails.tsx";
import { loadMessages, requestTranslator } from "#app/lib/i18n/messages.server.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { Page } from "#app/ui/page.tsx";
import { PRODUCT_NAME } from "#domain/brand.ts";

// The address is a secret, and has the mail address of somebody behind it.
const PRIVATE = { "x-robots-tag": "noindex", "cache-control": "private, no-store", "referrer-policy": "no-referrer" };

export const loader = async ({ params, request, context }: LoaderFunctionArgs) => {
  const view = await context.findUnsubscribe(params.token ?? "");
  const wait = view.kind === "refused" ? view.retryAfterSeconds : undefined;
  const title = `${requestTranslator(request, "unsubscribe")("title", { product: PRODUCT_NAME })} · ${PRODUCT_NAME}`;
  const headers = { ...PRIVATE, ...(wait === undefined ? {} : { "retry-after": String(wait) }) };
  return data({ view, title, messages: loadMessages(request, "unsubscribe") }, { status: view.status, headers });
};

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: data?.title ?? PRODUCT_NAME },
  { name: "robots", content: "noindex" },
  { name: "referrer", content: "no-referrer" },
];

/** What the last line of a mail leads to. Opening it changes nothing: programs that scan mails follow links. */
export default function Unsubscribe() {
  const t = useMessages("unsubscribe");
  const tCommon = useMessages("common");
  const { view } = useLoaderData<typeof loader>();
  if (view.kind === "known") return <KnownMails info={view} />;
  const isBusy = view.status === 429;
  return (
    <Page title={t(isBusy ? "busyTitle" : "unknownTitle")}>
      <Card>
        <p>{isBusy ? view.message : t("unknownLead")}</p>
        {!isBusy && (
          <>
            <p className="mt-4 mb-5">{t("contact")}</p>
            <Link to="/contact" className={buttonClass("quiet")}>
              {tCommon("contactUs")}
            </Link>
          </>
        )}
      </Card>
    </Page>
  );
}
