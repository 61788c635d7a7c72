import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useId, useRef, useState, type FormEvent } from "react";
import { queryKeys } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { errorToast } from "#app/ui/error-toast.ts";
import { FormField } from "#app/ui/form-field.tsx";
import { toast } from "#app/ui/toast.ts";
import { LABEL_MAX_LENGTH, MAX_LABELS, type ListedFile } from "#domain/wire.ts";
import { filesApi } from "./files-api.ts";
import { nameOf } from "./shown-file.tsx";

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** The dialog in which an owner gives labels to a link. Suggests the labels of the account's other links. */
export default function EditLabels({ file, onClose }: { file: ListedFile; onClose(): void }) {
  const t = useMessages("files");
  const queries = useQueryClient();
  const listId = useId();
  const field = useRef<HTMLInputElement>(null);
  const [labels, setLabels] = useState<readonly string[]>(file.labels ?? []);
  const [typed, setTyped] = useState("");
  const { data: firstPage } = useQuery({ queryKey: [...queryKeys.files, {}], queryFn: () => filesApi.files({}) });
  const suggested = (firstPage?.labels ?? []).filter((label) => !labels.some((given) => isSame(given, label)));
  const save = useMutation({
    mutationFn: (all: readonly string[]) => filesApi.changeFile(file.id, { labels: [...all] }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: queryKeys.files });
      toast({ title: t("labelsSaved"), description: nameOf(file) });
      onClose();
    },
    onError: errorToast(t("updateFailed"), t("removeFailedHelp")),
  });
  /** @returns all labels, with the typed one */
  const withTyped = () => {
    const label = typed.trim();
    return label === "" || labels.some((given) => isSame(given, label)) ? labels : [...labels, label];
  };
  const add = () => {
    setLabels(withTyped());
    setTyped("");
    field.current?.focus();
  };
  const isFull = labels.length >= MAX_LABELS;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // A label that was typed and not added is meant, too.
    save.mutate(withTyped());
  };
  return (
    <Dialog title={t("labels")} description={t(file.seal ? "labelsHelpSealed" : "labelsHelp")} onClose={onClose}>
      <form className="grid gap-4" onSubmit={submit}>
        {labels.length > 0 && (
          <ul aria-label={t("labelsOf", { filename: nameOf(file) })} className="flex flex-wrap gap-2">
            {labels.map((label) => (
              <li key={label} className="flex min-w-0 items-center rounded-full border border-line ps-3 text-sm">
                <span className="min-w-0 truncate">{label}</span>
                <button
                  type="button"
                  aria-label={t("removeLabel", { label })}
                  className="grid size-9 cursor-pointer place-items-center rounded-full text-muted hover:bg-sunken"
                  onClick={() => {
                    setLabels(labels.filter((other) => other !== label));
                    field.current?.focus();
                  }}
                >
                  <X size={16} aria-hidden />
                </button>
              </li>
            ))}
          </ul>
        )}
        <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2">
          <FormField
            ref={field}
            label={t("newLabel")}
            hint={t("labelsLeft", { count: MAX_LABELS - labels.length })}
            value={typed}
            maxLength={LABEL_MAX_LENGTH}
            disabled={isFull}
            list={listId}
            autoComplete="off"
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || typed.trim() === "") return;
              event.preventDefault();
              add();
            }}
          />
          <datalist id={listId}>
            {suggested.map((label) => (
              <option key={label} value={label} />
            ))}
          </datalist>
          <Button look="quiet" className="mt-6.5" disabled={isFull || typed.trim() === ""} onClick={add}>
            {t("addLabel")}
          </Button>
        </div>
        <Button type="submit" busy={save.isPending}>
          {t(save.isPending ? "saving" : "save")}
        </Button>
      </form>
    </Dialog>
  );
}
