import { data, type HeadersFunction, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Link, useLoaderData, useParams } from "@remix-run/react";
import { useState } from "react";
import { ApiError, call } from "#app/lib/api.ts";
import { messageOf } from "#app/lib/form-errors.ts";
import { loadTexts } from "#app/lib/i18n/messages.server.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { titleMeta } from "#app/lib/page-title.ts";
import { useForm } from "#app/lib/use-form.ts";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { FormTextArea } from "#app/ui/form-field.tsx";
import { Page } from "#app/ui/page.tsx";
import { toast } from "#app/ui/toast.ts";
import { OBJECTION_MAX_LENGTH, objectionRequest, type ObjectionInfo } from "#domain/wire.ts";

// The URL is a secret: it shows what was decided about somebody, and lets its holder object once.
const PRIVATE = { "x-robots-tag": "noindex", "cache-control": "private, no-store", "referrer-policy": "no-referrer" };

export const loader = async ({ params, request, context }: LoaderFunctionArgs) => {
  const view = await context.findDecision(params.token ?? "");
  const wait = view.kind === "refused" ? view.retryAfterSeconds : undefined;
  const headers = { ...PRIVATE, ...(wait === undefined ? {} : { "retry-after": String(wait) }) };
  return data({ view, ...loadTexts(request, (t) => t("title"), "objection") }, { status: view.status, headers });
};

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta = titleMeta({ robots: "noindex", referrer: "no-referrer" });

const LEADS = { suspended: "leadSuspended", "taken-down": "leadTakenDown", dismissed: "leadDismissed" } as const;

/** The page of the link in a mail about a decision. Opening the page changes nothing, because mail scanners follow links. */
export default function Objection() {
  const t = useMessages("objection");
  const tCommon = useMessages("common");
  const { view } = useLoaderData<typeof loader>();
  const [isSent, setIsSent] = useState(false);
  if (view.kind === "known") {
    if (isSent || view.hasObjected)
      return (
        <Page title={t("sentTitle")} lead={t("sentLead")}>
          {null}
        </Page>
      );
    return <Decision info={view} onSent={() => setIsSent(true)} />;
  }
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

function Decision({ info, onSent }: { info: ObjectionInfo; onSent(): void }) {
  const t = useMessages("objection");
  const { token = "" } = useParams();
  const { about, decision, reason, at } = info;
  const { field, busy, onSubmit, checkInput } = useForm(objectionRequest, {
    onError: (error) => {
      const description = error instanceof ApiError ? messageOf(error, t("notSentHelp")) : t("notSentHelp");
      toast({ title: t("notSent"), description, tone: "bad" });
    },
    send: async (objection) => {
      await call("POST /api/objections/:token", { params: { token }, body: objection });
      onSent();
    },
  });
  const date = new Date(at).toLocaleDateString(t.locale, { dateStyle: "long", timeZone: "UTC" });
  return (
    <Page title={t("title")} lead={t(LEADS[decision], { about })}>
      <Card>
        <p className="text-muted">{t("decidedOn", { date })}</p>
        {reason !== "" && <p className="mt-2 wrap-anywhere">{t("reasonWas", { reason })}</p>}
        <form className="mt-6 grid gap-4" noValidate onSubmit={onSubmit} onInput={checkInput}>
          <FormTextArea
            label={t("why")}
            rows={6}
            required
            maxLength={OBJECTION_MAX_LENGTH}
            hint={t("whyHint")}
            {...field("text")}
          />
          <Button type="submit" className="justify-self-start" busy={busy}>
            {t(busy ? "sending" : "send")}
          </Button>
        </form>
      </Card>
    </Page>
  );
}
