import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, useEffect, useRef } from "react";
import { call, queryKeys } from "#app/lib/api.ts";
import { messageOf } from "#app/lib/form-errors.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { useKeptLinks } from "#app/lib/sealing/use-kept-links.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { toast } from "#app/ui/toast.ts";
import type { ChangeProtection, LinkProtection, LinkProtectionNow } from "#domain/wire.ts";
import {
  changeOf,
  startEdit,
  warningsOf,
  type ProtectionEdit,
  type ProtectionWarning,
  ProtectionForm,
} from "./protection-form.tsx";
import { useProtectionNow } from "./use-protection-now.ts";

interface SavedProtection {
  guards: LinkProtection | undefined;
  /** The new password; null if the password was removed, undefined if it stayed. */
  password: string | null | undefined;
  /** The new URL of a sealed link whose key has changed. */
  shareUrl?: string;
}

interface ProtectionDialogProps {
  /** The id of the file or transfer. */
  id: string;
  /** The name of the file or transfer; null if unknown. */
  name: string | null;
  onSaved?(saved: SavedProtection): void;
  onClose(): void;
}

/** Changes a link's protection, with effect from the moment of saving. */
export default function ProtectionDialog({ id, name, onSaved, onClose }: ProtectionDialogProps) {
  const t = useMessages("guards");
  const { data: now, error, refetch } = useProtectionNow(id, { again: true });
  const kept = useKeptLinks(now?.sealed ?? false);
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: async (guards: ChangeProtection): Promise<Omit<SavedProtection, "password">> => {
      if (now?.sealed && guards.password !== undefined) {
        const { changeSealedProtection } = await importWhenOnline(
          () => import("#app/lib/sealing/change-protection.client.ts"),
        );
        return changeSealedProtection(id, guards);
      }
      const { guards: changed } = await call("PATCH /api/files/:id", { params: { id }, body: { guards } });
      return { guards: changed };
    },
    onError: errorToast(t("failed"), t("failedHelp")),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: queryKeys.files }),
        queries.invalidateQueries({ queryKey: [...queryKeys.guards, id] }),
      ]),
  });
  const save = (wanted: ChangeProtection) =>
    change.mutate(wanted, {
      onSuccess: (saved) => {
        const { guards } = saved;
        onSaved?.({ ...saved, password: wanted.password });
        toast(
          guards?.isUsedUp && wanted.maxDownloads !== undefined
            ? { title: t("linkEnded"), description: t("linkEndedHelp"), tone: "bad" }
            : { title: t("saved"), description: t("savedHelp") },
        );
        onClose();
      },
    });
  const letGoOn = () =>
    change.mutate(
      { letGoOn: true },
      {
        onSuccess: () => toast({ title: t("goesOn"), description: t("goesOnHelp") }),
      },
    );
  return (
    <Dialog
      title={t("protect")}
      description={name === null ? t("dialogHelpUnnamed") : t("dialogHelp", { name })}
      onClose={onClose}
    >
      {now && kept ? (
        <Editor
          now={now}
          hasKey={!now.sealed || kept.some(({ uploadId }) => uploadId === id)}
          isBusy={change.isPending}
          onSave={save}
          onLetGoOn={letGoOn}
          onClose={onClose}
        />
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
  now: LinkProtectionNow;
  /** This browser has the link's key. Without the key, the password of a sealed link cannot be changed. */
  hasKey: boolean;
  isBusy: boolean;
  onSave(change: ChangeProtection): void;
  onLetGoOn(): void;
  onClose(): void;
}

/** The form of the protection, followed by a question if a change would take access from people who have the link. */
function Editor({ now, hasKey, isBusy, onSave, onLetGoOn, onClose }: EditorProps) {
  const [edit, setEdit] = useState<ProtectionEdit>(() => startEdit(now));
  const [isAsking, setAsking] = useState(false);
  const change = changeOf(edit, now);
  if (isAsking) {
    return (
      <ConfirmChange
        warnings={warningsOf(change, now)}
        isBusy={isBusy}
        onYes={() => onSave(change)}
        onBack={() => setAsking(false)}
      />
    );
  }
  return (
    <ProtectionForm
      now={now}
      hasKey={hasKey}
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

interface ConfirmChangeProps {
  warnings: readonly ProtectionWarning[];
  isBusy: boolean;
  onYes(): void;
  onBack(): void;
}

/** Asks within the same dialog, so that the person can go back to the form with everything typed. */
function ConfirmChange({ warnings, isBusy, onYes, onBack }: ConfirmChangeProps) {
  const t = useMessages("guards");
  const question = useRef<HTMLDivElement>(null);
  useEffect(() => {
    question.current?.focus();
  }, []);
  return (
    <div ref={question} role="group" aria-label={t("question")} tabIndex={-1} className="grid gap-4 outline-none">
      <h3 className="text-lg font-medium">{t("question")}</h3>
      {warnings.map(({ message, used }) => (
        <p key={message}>{t(message, { used })}</p>
      ))}
      <div className="grid grid-cols-2 gap-3">
        <Button look="quiet" onClick={onBack}>
          {t("back")}
        </Button>
        <Button look="danger" busy={isBusy} onClick={onYes}>
          {t("changeIt")}
        </Button>
      </div>
    </div>
  );
}
