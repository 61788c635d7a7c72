import { Link } from "@remix-run/react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { call } from "#app/lib/api.ts";
import { handOver } from "#app/lib/hand-over.ts";
import { useMoment } from "#app/lib/i18n/formats.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useRootData } from "#app/lib/root-data.ts";
import { useCurrentUser } from "#app/lib/session.ts";
import { ActionQuestion } from "#app/ui/action-question.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { toast } from "#app/ui/toast.ts";
import { KEY_CALLS_PER_MINUTE } from "#domain/api-keys.ts";
import { cliLine, curlLine, sharexConfig } from "#domain/key-examples.ts";
import { limitFor } from "#domain/plans.ts";
import { formatBytes } from "#domain/units.ts";
import type { ListedKey } from "#domain/wire.ts";
import { ListState, CopyLine } from "../card-parts.tsx";
import { ChangeKey, MakeKey } from "./key-forms.tsx";

const KEYS_QUERY = ["/api/keys"];

/** The dialog that is open, with its key. */
type Open = { kind: "make" } | { kind: "change" | "revoke"; apiKey: ListedKey } | { kind: "made"; secret: string };

export function ApiKeys() {
  const t = useMessages("apiKeys");
  const queries = useQueryClient();
  const plan = useCurrentUser()?.planType ?? "free";
  const [open, setOpen] = useState<Open | null>(null);
  const { data: keys, error, refetch } = useQuery({ queryKey: KEYS_QUERY, queryFn: () => call("GET /api/keys") });
  const most = limitFor(plan).apiKeys;
  const isFull = keys !== undefined && keys.filter(({ hasRunOut }) => !hasRunOut).length >= most;
  const close = () => setOpen(null);
  const change = async (next: Open | null = null) => {
    await queries.invalidateQueries({ queryKey: KEYS_QUERY });
    setOpen(next);
  };
  return (
    <Card>
      <h2 className="text-lg font-medium">{t("title")}</h2>
      <p className="mt-1 text-muted">{t("help")}</p>
      <Link
        to="/developers"
        className="-mx-2 mb-2 inline-flex min-h-11 items-center px-2 font-medium text-reed underline underline-offset-4 hover:text-reed-strong"
      >
        {t("howTo")}
      </Link>
      <ListState error={error} onRetry={refetch} isLoading={!keys} />
      {keys?.length === 0 && <p className="py-3 text-muted">{t("none")}</p>}
      <ul className="divide-y divide-line">
        {keys?.map((apiKey) => (
          <KeyRow key={apiKey.id} apiKey={apiKey} onAsk={(kind) => setOpen({ kind, apiKey })} />
        ))}
      </ul>
      {keys && !isFull && (
        <Button className="mt-3" onClick={() => setOpen({ kind: "make" })}>
          {t("make")}
        </Button>
      )}
      {isFull && <p className="mt-3 text-sm text-muted">{t("full", { count: most })}</p>}
      {open?.kind === "make" && <MakeKey onMade={({ key }) => change({ kind: "made", secret: key })} onClose={close} />}
      {open?.kind === "made" && <MadeKeyDialog secret={open.secret} onClose={close} />}
      {open?.kind === "change" && <ChangeKey apiKey={open.apiKey} onSaved={change} onClose={close} />}
      {open?.kind === "revoke" && (
        <ActionQuestion
          title={t("revokeTitle")}
          text={t("revokeText", { name: open.apiKey.name })}
          yes={t("revokeYes")}
          no={t("cancel")}
          run={() => call("DELETE /api/keys/:id", { params: { id: open.apiKey.id } })}
          onSuccess={() => {
            toast({ title: t("revoked") });
            return change();
          }}
          onError={errorToast(t("revokeFailed"), t("tryAgain"))}
          onClose={close}
        />
      )}
    </Card>
  );
}

function KeyRow({ apiKey, onAsk }: { apiKey: ListedKey; onAsk(kind: "change" | "revoke"): void }) {
  const t = useMessages("apiKeys");
  const { name, lastFour, scopes, hasRunOut, source } = apiKey;
  return (
    <li className="grid gap-3 py-4">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <span className="min-w-0 break-words">{name}</span>
          <code className="text-sm font-normal text-muted">mayfly_…{lastFour}</code>
          {source === "cli" && <Badge>{t("byCli")}</Badge>}
          {hasRunOut && <Badge tone="bad">{t("ended")}</Badge>}
        </p>
        <p className="mt-1 text-sm text-muted">{scopes.map((scope) => t(scope)).join(" · ")}</p>
        <KeyTimes apiKey={apiKey} />
        <KeyLimits apiKey={apiKey} />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button look="quiet" aria-label={t("changeOf", { name })} onClick={() => onAsk("change")}>
          {t("change")}
        </Button>
        <Button look="danger" aria-label={t("revokeOf", { name })} onClick={() => onAsk("revoke")}>
          {t("revoke")}
        </Button>
      </div>
    </li>
  );
}

function KeyTimes({ apiKey: { expiresAt, hasRunOut, lastUsedAt, lastUsedAddress } }: { apiKey: ListedKey }) {
  const t = useMessages("apiKeys");
  const date = useMoment();
  const end = expiresAt === null ? t("neverEnds") : t(hasRunOut ? "endedAt" : "endsAt", { date: date(expiresAt) });
  const use =
    lastUsedAt === null ? t("unused") : t("usedAt", { date: date(lastUsedAt), address: lastUsedAddress ?? "" });
  return <p className="mt-1 text-sm text-muted">{`${use} · ${end}`}</p>;
}

/** Shows the limits in which a key differs from a key with the default limits. */
function KeyLimits({ apiKey: { limits, browserUse } }: { apiKey: ListedKey }) {
  const t = useMessages("apiKeys");
  const { callsPerMinute, monthBytes, largestFileBytes } = limits;
  const texts = [
    callsPerMinute < KEY_CALLS_PER_MINUTE && t("perMinute", { count: callsPerMinute }),
    monthBytes !== null && t("perMonth", { size: formatBytes(monthBytes, t.locale) }),
    largestFileBytes !== null && t("perFile", { size: formatBytes(largestFileBytes, t.locale) }),
    browserUse && t("inBrowsers"),
  ].filter((text) => text !== false);
  if (texts.length === 0) return null;
  return <p className="mt-1 text-sm text-muted">{texts.join(" · ")}</p>;
}

/**
 * Shows a new key once, with commands that use the key. The page itself writes the commands, so no server sees the key.
 */
function MadeKeyDialog({ secret, onClose }: { secret: string; onClose(): void }) {
  const t = useMessages("apiKeys");
  const origin = useRootData()?.origin ?? window.location.origin;
  return (
    <Dialog title={t("madeTitle")} description={t("madeHelp")} onClose={onClose}>
      <div className="grid gap-4">
        <CopyLine label={t("key")} value={secret} />
        <h3 className="-mb-2 text-sm font-medium">{t("withCurl")}</h3>
        <CopyLine label={t("withCurl")} value={curlLine(origin, secret)} />
        <h3 className="-mb-2 text-sm font-medium">{t("withCli")}</h3>
        <CopyLine label={t("withCli")} value={cliLine(origin, secret)} />
        <div className="grid gap-1.5">
          <Button
            icon={Download}
            look="quiet"
            onClick={() => {
              const config = JSON.stringify(sharexConfig(origin, secret), null, 2);
              handOver(new Blob([config], { type: "application/json" }), "mayfly.sxcu");
            }}
          >
            {t("withShareX")}
          </Button>
          <p className="text-sm text-muted">{t("shareXHelp")}</p>
        </div>
        <Button onClick={onClose}>{t("done")}</Button>
      </div>
    </Dialog>
  );
}
