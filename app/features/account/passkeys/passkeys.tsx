import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { ListState } from "#app/features/account/list-state.tsx";
import { securityApi, securityKeys } from "#app/features/account/security-api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useKnowsPasskeys } from "#app/lib/passkeys.ts";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { MAX_PASSKEYS } from "#domain/passkeys.ts";
import type { ListedPasskey } from "#domain/wire.ts";
import { AddPasskey } from "./add-passkey.tsx";
import { PasskeyRow } from "./passkey-row.tsx";
import { RemovePasskey } from "./remove-passkey.tsx";
import { RenamePasskey } from "./rename-passkey.tsx";

type Open = { kind: "add" } | { kind: "rename" | "remove"; passkey: ListedPasskey };

/** The passkeys of the account. A browser without passkeys can still rename and remove them. */
export function Passkeys() {
  const t = useMessages("security");
  const queries = useQueryClient();
  const isKnown = useKnowsPasskeys();
  const [open, setOpen] = useState<Open | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const { data, error, refetch, isLoading } = useQuery({
    queryKey: securityKeys.passkeys,
    queryFn: securityApi.passkeys,
  });
  const close = () => {
    setOpen(null);
  };
  const refresh = () =>
    Promise.all(
      [securityKeys.passkeys, securityKeys.events].map((queryKey) => queries.invalidateQueries({ queryKey })),
    );
  const changed = async () => {
    close();
    await refresh();
  };
  const removed = async () => {
    await refresh();
    // Not before: the dialog returns the focus, and not to a row that is about to go.
    close();
  };
  const mayAdd = isKnown && data !== undefined && data.passkeys.length < MAX_PASSKEYS;
  return (
    <Card>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-3">
        <h2 ref={heading} tabIndex={-1} className="text-lg font-medium">
          {t("passkeys")}
        </h2>
        {mayAdd && (
          <Button
            look="quiet"
            onClick={() => {
              setOpen({ kind: "add" });
            }}
          >
            {t("addPasskey")}
          </Button>
        )}
      </div>
      <p className="text-muted">{t("passkeysHelp")}</p>
      <ListState error={error} onRetry={refetch} isLoading={isLoading} />
      {data?.passkeys.length === 0 && <p className="py-3">{t("noPasskeys")}</p>}
      <ul className="divide-y divide-line">
        {data?.passkeys.map((passkey) => (
          <PasskeyRow
            key={passkey.id}
            passkey={passkey}
            onAsk={(kind) => {
              setOpen({ kind, passkey });
            }}
          />
        ))}
      </ul>
      {open?.kind === "add" && <AddPasskey onAdded={changed} onClose={close} />}
      {open?.kind === "rename" && <RenamePasskey passkey={open.passkey} onSaved={changed} onClose={close} />}
      {open?.kind === "remove" && (
        <RemovePasskey passkey={open.passkey} focusAfter={() => heading.current} onRemoved={removed} onClose={close} />
      )}
    </Card>
  );
}
