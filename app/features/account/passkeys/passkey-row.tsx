import { useDate } from "#app/features/account/use-date.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import type { ListedPasskey } from "#domain/wire.ts";

interface PasskeyRowProps {
  passkey: ListedPasskey;
  onAsk(kind: "rename" | "remove"): void;
}

export function PasskeyRow({ passkey: { name, createdAt, lastUsedAt, isBackedUp }, onAsk }: PasskeyRowProps) {
  const t = useMessages("security");
  const dateOf = useDate();
  const added = t("passkeyAdded", { date: dateOf(createdAt) });
  const used = lastUsedAt === null ? t("passkeyUnused") : t("passkeyUsed", { date: dateOf(lastUsedAt) });
  return (
    <li className="grid gap-3 py-4">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <span className="min-w-0 break-words">{name}</span>
          {isBackedUp && <Badge>{t("passkeyBackedUp")}</Badge>}
        </p>
        <p className="mt-1 text-sm text-muted">{`${added} · ${used}`}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          look="quiet"
          aria-label={t("renamePasskeyOf", { name })}
          onClick={() => {
            onAsk("rename");
          }}
        >
          {t("renamePasskey")}
        </Button>
        <Button
          look="danger"
          aria-label={t("removePasskeyOf", { name })}
          onClick={() => {
            onAsk("remove");
          }}
        >
          {t("removePasskey")}
        </Button>
      </div>
    </li>
  );
}
