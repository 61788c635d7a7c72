import { Link } from "@remix-run/react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useCurrentUser } from "#app/lib/session.ts";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { limitFor } from "#domain/plans.ts";
import type { ListedKey } from "#domain/wire.ts";
import { ListState } from "../list-state.tsx";
import { ChangeKey } from "./change-key.tsx";
import { KeyRow } from "./key-row.tsx";
import { KEYS_QUERY, keysApi } from "./keys-api.ts";
import { MadeKeyDialog } from "./made-key.tsx";
import { MakeKey } from "./make-key.tsx";
import { RevokeKey } from "./revoke-key.tsx";

/** What is open above the list. */
type Open = { kind: "make" } | { kind: "change" | "revoke"; apiKey: ListedKey } | { kind: "made"; secret: string };

export function ApiKeys() {
  const t = useMessages("apiKeys");
  const queries = useQueryClient();
  const plan = useCurrentUser()?.planType ?? "free";
  const [open, setOpen] = useState<Open | null>(null);
  const { data: keys, error, refetch } = useQuery({ queryKey: KEYS_QUERY, queryFn: keysApi.list });
  const most = limitFor(plan).apiKeys;
  const isFull = keys !== undefined && keys.filter(({ hasRunOut }) => !hasRunOut).length >= most;
  const close = () => {
    setOpen(null);
  };
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
          <KeyRow
            key={apiKey.id}
            apiKey={apiKey}
            onAsk={(kind) => {
              setOpen({ kind, apiKey });
            }}
          />
        ))}
      </ul>
      {keys && !isFull && (
        <Button
          className="mt-3"
          onClick={() => {
            setOpen({ kind: "make" });
          }}
        >
          {t("make")}
        </Button>
      )}
      {isFull && <p className="mt-3 text-sm text-muted">{t("full", { count: most })}</p>}
      {open?.kind === "make" && <MakeKey onMade={({ key }) => change({ kind: "made", secret: key })} onClose={close} />}
      {open?.kind === "made" && <MadeKeyDialog secret={open.secret} onClose={close} />}
      {open?.kind === "change" && <ChangeKey apiKey={open.apiKey} onSaved={change} onClose={close} />}
      {open?.kind === "revoke" && <RevokeKey apiKey={open.apiKey} onRevoked={change} onClose={close} />}
    </Card>
  );
}
