import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { ListState } from "#app/features/account/card-parts.tsx";
import { describeDevice } from "#app/features/account/devices.tsx";
import { securityKeys } from "#app/features/account/security-api.ts";
import { useAccountForm } from "#app/features/account/use-account-form.ts";
import { call } from "#app/lib/api.ts";
import { callConfirmed } from "#app/lib/confirming.ts";
import { useMoment } from "#app/lib/i18n/formats.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useKnowsPasskeys } from "#app/lib/passkeys.ts";
import { ActionQuestion } from "#app/ui/action-question.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { FormDialog } from "#app/ui/form-dialog.tsx";
import { FormField } from "#app/ui/form-field.tsx";
import { toast } from "#app/ui/toast.ts";
import { MAX_PASSKEYS } from "#domain/passkeys.ts";
import { type ListedPasskey, changePasskeyRequest } from "#domain/wire.ts";
import { createPasskey, signalPasskeys } from "./browser.ts";

type Open = { kind: "add" } | { kind: "rename" | "remove"; passkey: ListedPasskey };

/** The account's passkeys. The person can rename and remove passkeys in a browser without passkeys, too. */
export function Passkeys() {
  const t = useMessages("security");
  const queries = useQueryClient();
  const isKnown = useKnowsPasskeys();
  const [open, setOpen] = useState<Open | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const { data, error, refetch, isLoading } = useQuery({
    queryKey: securityKeys.passkeys,
    queryFn: () => call("GET /api/auth/passkeys"),
  });
  const close = () => setOpen(null);
  const refresh = () =>
    Promise.all(
      [securityKeys.passkeys, securityKeys.events].map((queryKey) => queries.invalidateQueries({ queryKey })),
    );
  const changed = async () => {
    close();
    await refresh();
  };
  const mayAdd = isKnown && data !== undefined && data.passkeys.length < MAX_PASSKEYS;
  return (
    <Card>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-3">
        <h2 ref={heading} tabIndex={-1} className="text-lg font-medium">
          {t("passkeys")}
        </h2>
        {mayAdd && (
          <Button look="quiet" onClick={() => setOpen({ kind: "add" })}>
            {t("addPasskey")}
          </Button>
        )}
      </div>
      <p className="text-muted">{t("passkeysHelp")}</p>
      <ListState error={error} onRetry={refetch} isLoading={isLoading} />
      {data?.passkeys.length === 0 && <p className="py-3">{t("noPasskeys")}</p>}
      <ul className="divide-y divide-line">
        {data?.passkeys.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} onAsk={(kind) => setOpen({ kind, passkey })} />
        ))}
      </ul>
      {open?.kind === "add" && <AddPasskey onAdded={changed} onClose={close} />}
      {open?.kind === "rename" && <RenamePasskey passkey={open.passkey} onSaved={changed} onClose={close} />}
      {open?.kind === "remove" && (
        <ActionQuestion
          title={t("removePasskeyTitle")}
          text={t("removePasskeyText", { name: open.passkey.name })}
          yes={t("removePasskey")}
          no={t("passkeyCancel")}
          focusAfter={() => heading.current}
          run={() => callConfirmed("DELETE /api/auth/passkeys/:id", { params: { id: open.passkey.id } })}
          onSuccess={async (left) => {
            signalPasskeys(left);
            toast({ title: t("passkeyRemovedNow") });
            await refresh();
            // The dialog closes last: a closing dialog returns the focus to a row of the list, which must not be the
            // removed row.
            close();
          }}
          onError={errorToast(t("removePasskeyFailed"), t("passkeyTryAgain"))}
          onClose={close}
        />
      )}
    </Card>
  );
}

interface PasskeyRowProps {
  passkey: ListedPasskey;
  onAsk(kind: "rename" | "remove"): void;
}

function PasskeyRow({ passkey: { name, createdAt, lastUsedAt, isBackedUp }, onAsk }: PasskeyRowProps) {
  const t = useMessages("security");
  const dateOf = useMoment();
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
        <Button look="quiet" aria-label={t("renamePasskeyOf", { name })} onClick={() => onAsk("rename")}>
          {t("renamePasskey")}
        </Button>
        <Button look="danger" aria-label={t("removePasskeyOf", { name })} onClick={() => onAsk("remove")}>
          {t("removePasskey")}
        </Button>
      </div>
    </li>
  );
}

function AddPasskey({ onAdded, onClose }: { onAdded(): Promise<void>; onClose(): void }) {
  const t = useMessages("security");
  const tAccount = useMessages("account");
  const { field, ...form } = useAccountForm(changePasskeyRequest, {
    onError: errorToast(t("addPasskeyFailed"), t("passkeyTryAgain")),
    send: async ({ name }) => {
      const credential = await createPasskey(await callConfirmed("POST /api/auth/passkeys/options"));
      if (credential === "known") {
        toast({ title: t("addPasskeyFailed"), description: t("passkeyKnown"), tone: "bad" });
        return;
      }
      if (!credential) return;
      await call("POST /api/auth/passkeys", { body: { name, credential } });
      toast({ title: t("passkeyAddedNow") });
      await onAdded();
    },
  });
  return (
    <FormDialog
      title={t("addPasskey")}
      description={t("addPasskeyHelp")}
      button={[t("addPasskeyNow"), t("working")]}
      onClose={onClose}
      {...form}
    >
      <FormField
        label={t("passkeyName")}
        autoComplete="off"
        defaultValue={describeDevice(navigator.userAgent, tAccount)}
        {...field("name")}
      />
    </FormDialog>
  );
}

interface RenamePasskeyProps {
  passkey: ListedPasskey;
  onSaved(): Promise<void>;
  onClose(): void;
}

function RenamePasskey({ passkey, onSaved, onClose }: RenamePasskeyProps) {
  const t = useMessages("security");
  const { field, ...form } = useAccountForm(changePasskeyRequest, {
    onError: errorToast(t("renamePasskeyFailed"), t("passkeyTryAgain")),
    send: async ({ name }) => {
      await call("PATCH /api/auth/passkeys/:id", { params: { id: passkey.id }, body: { name } });
      await onSaved();
    },
  });
  return (
    <FormDialog
      title={t("renamePasskeyTitle")}
      description={t("renamePasskeyHelp")}
      button={[t("savePasskey"), t("working")]}
      onClose={onClose}
      {...form}
    >
      <FormField label={t("passkeyName")} autoComplete="off" defaultValue={passkey.name} {...field("name")} />
    </FormDialog>
  );
}
