import { useRevalidator } from "@remix-run/react";
import type { ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useForm } from "#app/lib/use-form.ts";
import { FormDialog } from "#app/ui/form-dialog.tsx";
import { FormTextArea } from "#app/ui/form-field.tsx";
import { toast } from "#app/ui/toast.ts";
import { REASON_MAX_LENGTH, takeDownRequest, type AdminFile } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import { adminErrorToast, useAdminErrorHandler } from "./admin-changes.ts";
import { nameOf } from "./file-cells.tsx";

interface TakeDownProps {
  file: AdminFile;
  /** The path of the one file of a transfer to take down. If absent, the whole transfer is taken down. */
  path?: string | undefined;
  /** Fields above the field for the reason. */
  children?: ReactNode;
  takeDown(reason: string): Promise<unknown>;
  /** The element that gets the focus after the takedown, because the takedown removes the pressed button. */
  focusAfter?(): HTMLElement | null;
  onClose(): void;
}

/** Takes down a file, a transfer, or one file of a transfer, at once. The owner sees the reason. */
export function TakeDown({ file, path, children, takeDown, onClose, ...others }: TakeDownProps) {
  const t = useMessages("admin");
  const { revalidate } = useRevalidator();
  const isTransfer = path === undefined && file.entries !== undefined;
  const { field, ...form } = useForm(takeDownRequest, {
    onError: useAdminErrorHandler(adminErrorToast(t("takeDownFailed"), t("takeDownFailedHelp"))),
    send: async ({ reason }) => {
      await takeDown(reason);
      revalidate();
      toast({
        title: t(isTransfer ? "transferTakenDown" : "takenDown"),
        description: t("takenDownHelp", { filename: path ?? nameOf(file, t) }),
      });
      onClose();
    },
  });
  return (
    <FormDialog
      title={t(isTransfer ? "takeDownTransferQuestion" : "takeDownQuestion")}
      description={path === undefined ? whatGoes(file, t) : whatGoesOf(file, path, t)}
      button={[t("takeDownNow"), t("takingDown")]}
      look="danger"
      no={t("cancel")}
      onClose={onClose}
      {...others}
      {...form}
    >
      {children}
      <FormTextArea
        label={t("reason")}
        rows={3}
        maxLength={REASON_MAX_LENGTH}
        hint={t("reasonHelp")}
        {...field("reason")}
      />
    </FormDialog>
  );
}

/** @returns the warning that a deletion or takedown of a file or whole transfer cannot be undone */
export function whatGoes(file: AdminFile, t: Translate<"admin">): string {
  if (file.entries === undefined) return t("fileGoes", { filename: nameOf(file, t) });
  return t("transferGoes", { title: nameOf(file, t), count: file.entries });
}

function whatGoesOf(file: AdminFile, path: string, t: Translate<"admin">): string {
  return t(file.entries === 1 ? "lastEntryGoes" : "entryGoes", { path, title: nameOf(file, t) });
}
