import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call, queryKeys } from "#app/lib/api.ts";
import { messageOf } from "#app/lib/form-errors.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { toast } from "#app/ui/toast.ts";
import type { ChangeGuards, LinkGuards, LinkGuardsNow } from "#domain/wire.ts";
import { ConfirmChange } from "./confirm-change.tsx";
import { changeOf, startEdit, warningsOf, type GuardsEdit } from "./guards-edit.ts";
import { GuardsForm } from "./guards-form.tsx";
import { useGuardsNow } from "./use-guards-now.ts";

interface GuardsDialogProps {
  /** Of the file or transfer. */
  id: string;
  /** Of the file or transfer; null where it is not known. */
  name: string | null;
  /** @param password the new one; null when it was removed, undefined when it stayed */
  onSaved?(guards: LinkGuards | undefined, password: string | null | undefined): void;
  onClose(): void;
}

/** Sets, changes and removes the guards of a link, from the moment it works. */
export default function GuardsDialog({ id, name, onSaved, onClose }: GuardsDialogProps) {
  const t = useMessages("guards");
  const { data: now, error, refetch } = useGuardsNow(id, { again: true });
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (guards: ChangeGuards) => call("PATCH /api/files/:id", { params: { id }, body: { guards } }),
    onError: errorToast(t("failed"), t("failedHelp")),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: queryKeys.files }),
        queries.invalidateQueries({ queryKey: [...queryKeys.guards, id] }),
      ]),
  });
  const save = (wanted: ChangeGuards) => {
    change.mutate(wanted, {
      onSuccess: ({ guards }) => {
        onSaved?.(guards, wanted.password);
        toast(
          guards?.isUsedUp && wanted.maxDownloads !== undefined
            ? { title: t("linkEnded"), description: t("linkEndedHelp"), tone: "bad" }
            : { title: t("saved"), description: t("savedHelp") },
        );
        onClose();
      },
    });
  };
  const letGoOn = () => {
    change.mutate(
      { letGoOn: true },
      {
        onSuccess: () => {
          toast({ title: t("goesOn"), description: t("goesOnHelp") });
        },
      },
    );
  };
  return (
    <Dialog
      title={t("protect")}
      description={name === null ? t("dialogHelpUnnamed") : t("dialogHelp", { name })}
      onClose={onClose}
    >
      {now ? (
        <Editor now={now} isBusy={change.isPending} onSave={save} onLetGoOn={letGoOn} onClose={onClose} />
      ) : error ? (
        <div role="alert" className="grid justify-items-start gap-4">
          <p>{messageOf(error, t("loadFailed"))}</p>
          <Button look="quiet" onClick={() => void refetch()}>
            {t("retry")}
          </Button>
        </div>
      ) : (
        <p role="status">{t("loading")}</p>
      )}
    </Dialog>
  );
}

interface EditorProps {
  now: LinkGuardsNow;
  isBusy: boolean;
  onSave(change: ChangeGuards): void;
  onLetGoOn(): void;
  onClose(): void;
}

/** The form, and a question before somebody loses something. */
function Editor({ now, isBusy, onSave, onLetGoOn, onClose }: EditorProps) {
  const [edit, setEdit] = useState<GuardsEdit>(() => startEdit(now));
  const [isAsking, setAsking] = useState(false);
  const change = changeOf(edit, now);
  if (isAsking) {
    return (
      <ConfirmChange
        warnings={warningsOf(change, now)}
        isBusy={isBusy}
        onYes={() => {
          onSave(change);
        }}
        onBack={() => {
          setAsking(false);
        }}
      />
    );
  }
  return (
    <GuardsForm
      now={now}
      edit={edit}
      isBusy={isBusy}
      onChange={setEdit}
      onLetGoOn={onLetGoOn}
      onSave={() => {
        if (Object.keys(change).length === 0) onClose();
        else if (warningsOf(change, now).length > 0) setAsking(true);
        else onSave(change);
      }}
    />
  );
}
