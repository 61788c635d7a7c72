import { data, type HeadersFunction, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { loadTexts } from "#app/lib/i18n/messages.server.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { titleMeta } from "#app/lib/page-title.ts";
import { buttonClass, Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { Page } from "#app/ui/page.tsx";
import { PRODUCT_NAME } from "#domain/brand.ts";
import type { UnsubscribeInfo, UnsubscribeRequest } from "#domain/wire.ts";

// The URL is a secret, because the page shows somebody's mail address.
const PRIVATE = { "x-robots-tag": "noindex", "cache-control": "private, no-store", "referrer-policy": "no-referrer" };

export const loader = async ({ params, request, context }: LoaderFunctionArgs) => {
  const view = await context.findUnsubscribe(params.token ?? "");
  const wait = view.kind === "refused" ? view.retryAfterSeconds : undefined;
  const headers = { ...PRIVATE, ...(wait === undefined ? {} : { "retry-after": String(wait) }) };
  const names = { product: PRODUCT_NAME };
  const texts = loadTexts(request, (t) => t("title", names), "unsubscribe");
  return data({ view, ...texts }, { status: view.status, headers });
};

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta = titleMeta({ robots: "noindex", referrer: "no-referrer" });

/** The page of the unsubscribe link in mails. Opening the page changes nothing, because mail scanners follow links. */
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

/** Chooses the form by the mails that the token's person can stop, or has stopped. */
function KnownMails({ info }: { info: UnsubscribeInfo }) {
  const { email, sender, stopped, confirmed = false } = info;
  if (email === null) return <Receipts stopped={stopped} isConfirmed={confirmed} />;
  if (sender !== null) return <MailsOfSender email={email} sender={sender} stopped={stopped} />;
  return <OwnMails email={email} isStopped={stopped !== "nothing"} />;
}

interface MailsOfSenderProps {
  email: string;
  sender: string;
  stopped: UnsubscribeInfo["stopped"];
}

function MailsOfSender({ email, sender, stopped }: MailsOfSenderProps) {
  const t = useMessages("unsubscribe");
  const names = { email, sender, product: PRODUCT_NAME };
  const [title, lead] = (
    {
      nothing: ["senderTitle", "senderLead"],
      sender: ["senderStopped", "senderStoppedLead"],
      all: ["allStopped", "allStoppedLead"],
    } as const
  )[stopped];
  return (
    <Page title={t(title, names)} lead={t(lead, names)}>
      <Card>
        <form method="post" className="grid gap-6">
          {stopped === "nothing" ? (
            <Way what="sender" label={t("stopSender", names)} help={t("stopSenderHelp")} />
          ) : (
            <Way what="resume" label={t("undo")} help={t("undoHelp")} />
          )}
          {stopped !== "all" && <Way what="all" label={t("stopAll", names)} help={t("stopAllHelp", names)} />}
        </form>
      </Card>
      <p className="text-sm text-muted">{t("accountMail")}</p>
    </Page>
  );
}

/** Stops mails to people who send through a request. The server has only a digest of a sender's address. */
function Receipts({ stopped, isConfirmed }: { stopped: UnsubscribeInfo["stopped"]; isConfirmed: boolean }) {
  const t = useMessages("unsubscribe");
  const names = { product: PRODUCT_NAME };
  const isStopped = stopped !== "nothing";
  return (
    <Page
      title={t(isStopped ? "ownStopped" : "senderTitle")}
      lead={isStopped ? t("receiptsStoppedLead") : t("receiptsLead", names)}
    >
      <Card>
        <form method="post" className="grid gap-6">
          {isStopped ? (
            <Way what="resume" label={t("undo")} help={t("undoHelp")} />
          ) : (
            <Way what="sender" label={t("stopReceipts")} help={t("stopReceiptsHelp")} />
          )}
          {stopped !== "all" && <Way what="all" label={t("stopAll", names)} help={t("stopAllHelp", names)} />}
          {!isStopped && !isConfirmed && (
            <Way what="confirm" label={t("confirmAddress")} help={t("confirmAddressHelp")} />
          )}
        </form>
        {isConfirmed && <p className="mt-6 text-sm text-muted">{t("addressConfirmed")}</p>}
      </Card>
    </Page>
  );
}

/** Stops mails to an account about its own files. */
function OwnMails({ email, isStopped }: { email: string; isStopped: boolean }) {
  const t = useMessages("unsubscribe");
  return (
    <Page
      title={t(isStopped ? "ownStopped" : "senderTitle")}
      lead={t(isStopped ? "ownStoppedLead" : "ownLead", { email })}
    >
      <Card>
        <form method="post">
          {isStopped ? (
            <Way what="resume" label={t("undo")} help={t("undoHelp")} />
          ) : (
            <Way what="sender" label={t("stopOwn")} help={t("stopOwnHelp")} />
          )}
        </form>
      </Card>
      <p>
        <Link to="/account/notices" className="text-reed underline">
          {t("toAccount")}
        </Link>
      </p>
    </Page>
  );
}

interface WayProps {
  what: UnsubscribeRequest["what"];
  label: string;
  /** The consequences of the choice. */
  help: string;
}

/** A submit button of the form, which works without scripts. */
function Way({ what, label, help }: WayProps) {
  return (
    <div>
      <Button
        type="submit"
        name="what"
        value={what}
        look={what === "sender" ? "primary" : "quiet"}
        className="max-w-full text-start break-words sm:w-auto"
      >
        <span className="min-w-0 break-words">{label}</span>
      </Button>
      <p className="mt-1.5 text-sm text-muted">{help}</p>
    </div>
  );
}
