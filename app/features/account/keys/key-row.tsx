import { useMessages } from "#app/lib/i18n/messages.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { KEY_CALLS_PER_MINUTE } from "#domain/api-keys.ts";
import { formatBytes } from "#domain/units.ts";
import type { ListedKey } from "#domain/wire.ts";
import { useDate } from "../use-date.ts";

interface KeyRowProps {
  apiKey: ListedKey;
  onAsk(kind: "change" | "revoke"): void;
}

export function KeyRow({ apiKey, onAsk }: KeyRowProps) {
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
        <Button
          look="quiet"
          aria-label={t("changeOf", { name })}
          onClick={() => {
            onAsk("change");
          }}
        >
          {t("change")}
        </Button>
        <Button
          look="danger"
          aria-label={t("revokeOf", { name })}
          onClick={() => {
            onAsk("revoke");
          }}
        >
          {t("revoke")}
        </Button>
      </div>
    </li>
  );
}

function KeyTimes({ apiKey: { expiresAt, hasRunOut, lastUsedAt, lastUsedAddress } }: { apiKey: ListedKey }) {
  const t = useMessages("apiKeys");
  const date = useDate();
  const end = expiresAt === null ? t("neverEnds") : t(hasRunOut ? "endedAt" : "endsAt", { date: date(expiresAt) });
  const use =
    lastUsedAt === null ? t("unused") : t("usedAt", { date: date(lastUsedAt), address: lastUsedAddress ?? "" });
  return <p className="mt-1 text-sm text-muted">{`${use} · ${end}`}</p>;
}

/** Only what differs from a key without limits of its own. */
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
