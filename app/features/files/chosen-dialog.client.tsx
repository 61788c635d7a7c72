import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { queryKeys } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { forgetKeys } from "#app/lib/sealing/forget-keys.ts";
import { nameOfManifest, useKeptLinks } from "#app/lib/sealing/use-kept-links.ts";
import { useCurrentUser } from "#app/lib/session.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog, Question } from "#app/ui/dialog.tsx";
import { FormChoices, FormRadio } from "#app/ui/form-field.tsx";
import { ProgressBar } from "#app/ui/progress-bar.tsx";
import { toast } from "#app/ui/toast.ts";
import type { Expiration } from "#domain/expiry.ts";
import { expirationOptions } from "#domain/plans.ts";
import type { ListedFile } from "#domain/wire.ts";
import { keepExpiry } from "./change-words.ts";
import type { ChosenAction } from "./chosen-rows.tsx";
import { filesApi } from "./files-api.ts";
import { forEachFile, isGone, type FailedFile } from "./for-each-file.ts";
import { nameOf } from "./shown-file.tsx";

interface ChosenDialogProps {
  action: ChosenAction;
  files: readonly ListedFile[];
  onClose(): void;
}

type Step =
  | { kind: "ask" }
  | { kind: "work"; done: number; of: number }
  | { kind: "failed"; failed: FailedFile[]; of: number; again(): void };

/**
 * Asks, then deletes links or changes their expiry one by one, and says for which links it failed. Goes on when the
 * dialog is closed meanwhile, and then says in a toast how it ended.
 */
export default function ChosenDialog({ action, files, onClose }: ChosenDialogProps) {
  const t = useMessages("files");
  const queries = useQueryClient();
  const [step, setStep] = useState<Step>({ kind: "ask" });
  const isClosed = useRef(false);
  const words = action === "delete" ? DELETION_WORDS : EXPIRY_WORDS;

  const run = async (these: readonly ListedFile[], change: (file: ListedFile) => Promise<unknown>) => {
    const of = these.length;
    setStep({ kind: "work", done: 0, of });
    const failed = await forEachFile(these, change, t("updateFailed"), (done) => setStep({ kind: "work", done, of }));
    await queries.invalidateQueries({ queryKey: queryKeys.files });
    if (failed.length > 0 && isClosed.current) {
      toast({ tone: "bad", title: t(words.failed, { count: failed.length, of }), description: failed[0]?.reason });
      return;
    }
    if (failed.length > 0) {
      const again = () =>
        void run(
          failed.map(({ file }) => file),
          change,
        );
      setStep({ kind: "failed", failed, of, again });
      return;
    }
    toast({ title: t(words.done, { count: of }) });
    if (!isClosed.current) onClose();
  };
  const leave = () => {
    isClosed.current = true;
    onClose();
  };

  switch (step.kind) {
    case "work":
      return (
        <Dialog
          title={t(words.working)}
          description={t("workedOn", { done: step.done, count: step.of })}
          onClose={leave}
        >
          <ProgressBar label={t(words.working)} percent={Math.round((100 * step.done) / step.of)} />
        </Dialog>
      );
    case "failed":
      return <Failed {...step} title={t(words.failed, { count: step.failed.length, of: step.of })} onClose={onClose} />;
    case "ask":
      return action === "delete" ? (
        <Question
          title={t("deleteChosenQuestion", { count: files.length })}
          text={t("deleteChosenWarning")}
          yes={t("delete")}
          no={t("keepChosen")}
          isBusy={false}
          onYes={() => void run(files, deleteLink)}
          onClose={onClose}
        />
      ) : (
        <ChooseExpiry count={files.length} onClose={onClose} onChoose={(to) => void run(files, endLinkAfter(to))} />
      );
  }
}

const DELETION_WORDS = { working: "deleting", done: "chosenDeleted", failed: "chosenNotDeleted" } as const;
const EXPIRY_WORDS = {
  working: "changingExpiry",
  done: "chosenExpiryChanged",
  failed: "chosenExpiryNotChanged",
} as const;

async function deleteLink(file: ListedFile): Promise<void> {
  await filesApi.deleteFile(file.id).catch((error: unknown) => {
    if (!isGone(error)) throw error;
  });
  await forgetKeys(file);
}

function endLinkAfter(expiration: Expiration) {
  return async (file: ListedFile) => {
    const { expiresAt } = await filesApi.changeFile(file.id, { expiration });
    await keepExpiry(file, expiresAt);
  };
}

interface ChooseExpiryProps {
  count: number;
  onChoose(expiration: Expiration): void;
  onClose(): void;
}

function ChooseExpiry({ count, onChoose, onClose }: ChooseExpiryProps) {
  const t = useMessages("files");
  const tExpiration = useMessages("expirations");
  const plan = useCurrentUser()?.planType ?? "free";
  const [chosen, setChosen] = useState<Expiration | null>(null);
  return (
    <Dialog title={t("changeExpiry")} description={t("chosenExpiryHelp", { count })} onClose={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen) onChoose(chosen);
        }}
      >
        <FormChoices legend={t("keepTransferFor")} isLegendHidden>
          {expirationOptions(plan).map(({ value, requiredPlan }) => (
            <FormRadio
              key={value}
              name="expiration"
              value={value}
              checked={chosen === value}
              disabled={requiredPlan !== null}
              aside={requiredPlan && t("planNeeded", { plan: requiredPlan.name })}
              onChange={() => setChosen(value)}
            >
              {tExpiration(value)}
            </FormRadio>
          ))}
        </FormChoices>
        <Button type="submit" disabled={chosen === null}>
          {t("save")}
        </Button>
      </form>
    </Dialog>
  );
}

interface FailedProps {
  title: string;
  failed: readonly FailedFile[];
  again(): void;
  onClose(): void;
}

function Failed({ title, failed, again, onClose }: FailedProps) {
  const t = useMessages("files");
  const tSealing = useMessages("sealing");
  const kept = useKeptLinks(failed.some(({ file }) => file.seal !== undefined));
  const nameFor = ({ downloadId, seal, ...file }: ListedFile) => {
    if (!seal) return nameOf(file);
    const link = kept?.find((one) => one.downloadId === downloadId);
    return link ? nameOfManifest(link.manifest) : tSealing("unnamed");
  };
  return (
    <Dialog title={title} description={t("chosenFailedHelp")} onClose={onClose}>
      <ul className="grid max-h-64 gap-2 overflow-y-auto">
        {failed.map(({ file, reason }) => (
          <li key={file.id} className="text-sm break-words">
            <span className="font-medium">{nameFor(file)}</span>: {reason}
          </li>
        ))}
      </ul>
      <div className="mt-5 grid grid-cols-2 gap-3">
        <Button look="quiet" onClick={onClose}>
          {t("closeResult")}
        </Button>
        <Button onClick={again}>{t("retry")}</Button>
      </div>
    </Dialog>
  );
}
