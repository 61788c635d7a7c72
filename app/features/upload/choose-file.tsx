import { useMessages } from "#app/lib/i18n/messages.ts";
import { useAnonymousUploads, useCurrentUser } from "#app/lib/session.ts";
import { limitFor } from "#domain/plans.ts";
import { formatBytes } from "#domain/units.ts";
import type { DroppedItem } from "./transfer/dropped-items.ts";
import type { LinkChoiceProps } from "./link-choice.ts";
import { ChooseFolder, DropField, ItemsInput } from "./drop-field.tsx";
import { ExpirationSelect } from "./expiration-select.tsx";
import { ProtectLink } from "./protect-link.tsx";
import { usePastedFiles } from "./use-pasted-files.ts";

interface ChooseFileProps extends LinkChoiceProps {
  /** Several files or folders can be sent. */
  takesMany: boolean;
  onFile(file: File): void;
  /** Several files, or a folder. */
  onMany(items: DroppedItem[]): void;
  onPrepare(): void;
}

export function ChooseFile({ takesMany, onFile, onMany, onPrepare, wording, plan, choice, onChoice }: ChooseFileProps) {
  const t = useMessages("uploads");
  const take = (items: DroppedItem[]) => {
    const [first] = items;
    if (items.length > 1 || first?.entry?.isDirectory || first?.file?.webkitRelativePath) onMany(items);
    else if (first?.file) onFile(first.file);
  };
  usePastedFiles(take);
  const mayUploadWithout = useAnonymousUploads();
  const needsAccount = useCurrentUser() === null && !mayUploadWithout;
  return (
    <div className="grid gap-5">
      <DropField
        title={t("chooseOrDrop")}
        dropTitle={t("letGo")}
        hint={t(needsAccount ? "upToWithAccount" : "upTo", {
          size: formatBytes(limitFor(plan).fileSizeBytes, t.locale),
        })}
        onItems={take}
        onPrepare={onPrepare}
      >
        {takesMany && <span className="text-sm text-balance text-muted">{t("severalToo")}</span>}
        <ItemsInput label={t("chooseFile")} isSingle={!takesMany} onItems={take} onPrepare={onPrepare} />
      </DropField>
      {takesMany && <ChooseFolder look="quiet" label={t("chooseFolder")} onItems={take} onPrepare={onPrepare} />}
      <ExpirationSelect wording={wording} plan={plan} choice={choice} onChoice={onChoice} automaticHours={null} />
      <ProtectLink choice={choice} onChoice={onChoice} />
    </div>
  );
}
