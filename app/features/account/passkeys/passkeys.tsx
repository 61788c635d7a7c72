import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
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
  const tAccount = useMessages("account");
  const queries = useQueryClient();
  const isKnown = useKnowsPasskeys();
  const [open, setOpen] = useState<Open | null>(null);
  const { data, error, refetch } = useQuery({ queryKey: securityKeys.passkeys, queryFn: securityApi.passkeys });
  const close = () => {
    setOpen(null);
  };
  const changed = async () => {
    close();
    await Promise.all(
      [securityKeys.passkeys, securityKeys.events].map((queryKey) => queries.invalidateQueries({ queryKey })),
    );
  };
  const mayAdd = isKnown && data !== undefined && data.passkeys.length < MAX_PASSKEYS;
  return (
    <Card>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg font-medium">{t("passkeys")}</h2>
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
      {error && (
        <p role="alert" className="flex flex-wrap items-center gap-3 text-sm">
          {error.message}
          <Button look="quiet" onClick={() => void refetch()}>
            {tAccount("retry")}
          </Button>
        </p>
      )}
      {!data && !error && <p className="py-3 text-muted">{tAccount("loading")}</p>}
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
      {open?.kind === "remove" && <RemovePasskey passkey={open.passkey} onRemoved={changed} onClose={close} />}
    </Card>
  );
}
