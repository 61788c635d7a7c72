import { Download, Plus } from "lucide-react";
import { useState } from "react";
import { useRevalidator } from "@remix-run/react";
import { call } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useSearchChange } from "#app/lib/search-params.ts";
import { useForm } from "#app/lib/use-form.ts";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { FormDialog } from "#app/ui/form-dialog.tsx";
import { FormField, FormTextArea } from "#app/ui/form-field.tsx";
import { SearchBox } from "#app/ui/search-box.tsx";
import { toast } from "#app/ui/toast.ts";
import { BLOCK_LABEL_MAX_LENGTH } from "#domain/moderation/block-list.ts";
import {
  importBlockListRequest,
  type BlockList,
  type ImportedBlockList,
  type RemoveBlockedRequest,
} from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import { adminErrorToast, useAdminErrorHandler } from "./admin-changes.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { RowButton, type Column } from "./data-table.tsx";
import { DateTime } from "./date-time.tsx";
import { ListPanel } from "./list-panel.tsx";

type Label = BlockList["labels"][number] & { id: string };

const columns = (t: Translate<"adminRecords">): Column<Label>[] => [
  { label: t("blockLabel"), cell: ({ label }) => <span className="wrap-anywhere">{label}</span> },
  { label: t("blockSums"), numeric: true, cell: ({ sums }) => sums.toLocaleString(t.locale) },
  { label: t("blockLatest"), cell: ({ latest }) => <DateTime at={latest} withTime /> },
];

interface BlockListTabProps {
  search: string;
  /** Whether the search is a whole sum. */
  isSum: boolean;
  list: BlockList;
}

/** The sums of files that are not accepted (decision 060). */
export function BlockListTab({ search, isSum, list }: BlockListTabProps) {
  const t = useMessages("adminRecords");
  const tAdmin = useMessages("admin");
  const show = useSearchChange();
  const [isImporting, setIsImporting] = useState(false);
  const [imported, setImported] = useState<ImportedBlockList | null>(null);
  const [toRemove, setToRemove] = useState<RemoveBlockedRequest | null>(null);
  return (
    <>
      <section aria-label={t("findSum")} className="mb-6">
        <div className="flex">
          <SearchBox label={t("findSum")} placeholder={t("findSumBy")} search={search} onSearch={(q) => show({ q })} />
        </div>
        {search !== "" && <FoundSum found={list.found} isSum={isSum} onRemove={setToRemove} />}
      </section>
      {imported !== null && imported.badCount > 0 && <BadLines imported={imported} />}
      <ListPanel
        title={t("blockList")}
        label={t("blockListTable")}
        count={t("blockCount", { count: list.total })}
        columns={columns(t)}
        list={{ items: list.labels.map((label) => ({ ...label, id: label.label })) }}
        empty={t("nothingBlocked")}
        tools={
          <>
            <a href="/api/admin/block-list/export" download className={buttonClass("quiet")}>
              <Download size={18} aria-hidden />
              {t("exportSums")}
            </a>
            <Button icon={Plus} onClick={() => setIsImporting(true)}>
              {t("addSums")}
            </Button>
          </>
        }
        actions={({ label }) => (
          <RowButton look="danger" onClick={() => setToRemove({ label })}>
            {tAdmin("delete")}
          </RowButton>
        )}
      />
      {isImporting && <ImportSums onImported={setImported} onClose={() => setIsImporting(false)} />}
      {toRemove !== null && (
        <ConfirmDialog
          title={t("unblockQuestion")}
          text={t("sha256" in toRemove ? "unblockSumHelp" : "unblockLabelHelp", {
            label: "sha256" in toRemove ? toRemove.sha256 : toRemove.label,
          })}
          yes={tAdmin("delete")}
          pending={tAdmin("deleting")}
          run={() => call("POST /api/admin/block-list/removal", { body: toRemove })}
          onSuccess={() => toast({ title: t("unblocked") })}
          onError={adminErrorToast(tAdmin("updateFailed"), tAdmin("tryAgain"))}
          onClose={() => setToRemove(null)}
        />
      )}
    </>
  );
}

interface FoundSumProps {
  found: BlockList["found"];
  /** Whether the search is a whole sum. */
  isSum: boolean;
  onRemove(which: RemoveBlockedRequest): void;
}

function FoundSum({ found, isSum, onRemove }: FoundSumProps) {
  const t = useMessages("adminRecords");
  const tAdmin = useMessages("admin");
  return (
    <div role="status" className="mt-2 flex flex-wrap items-center gap-3 text-sm">
      <p className={found ? "wrap-anywhere" : "text-muted"}>
        {found ? t("sumIsBlocked", { label: found.label }) : t(isSum ? "sumIsNotBlocked" : "sumIsIncomplete")}
      </p>
      {found && (
        <RowButton look="danger" onClick={() => onRemove({ sha256: found.sha256 })}>
          {tAdmin("delete")}
        </RowButton>
      )}
    </div>
  );
}

const SHOWN_LINES = 20;

function BadLines({ imported: { badCount, bad } }: { imported: ImportedBlockList }) {
  const t = useMessages("adminRecords");
  const shown = bad.slice(0, SHOWN_LINES).map((line) => line.toLocaleString(t.locale));
  return (
    <div role="status" className="mb-6 rounded-2xl border border-line bg-surface p-4 text-sm">
      <p className="font-medium">{t("badLines", { count: badCount })}</p>
      <p className="wrap-anywhere text-muted">
        {t(badCount > SHOWN_LINES ? "badLinesFirst" : "badLinesAll", { lines: shown.join(", ") })}
      </p>
    </div>
  );
}

interface ImportSumsProps {
  onImported(imported: ImportedBlockList): void;
  onClose(): void;
}

function ImportSums({ onImported, onClose }: ImportSumsProps) {
  const t = useMessages("adminRecords");
  const tAdmin = useMessages("admin");
  const { revalidate } = useRevalidator();
  const { field, ...form } = useForm(importBlockListRequest, {
    onError: useAdminErrorHandler(adminErrorToast(tAdmin("updateFailed"), tAdmin("tryAgain"))),
    send: async (body) => {
      const imported = await call("POST /api/admin/block-list", { body });
      revalidate();
      onImported(imported);
      toast({
        title: t("sumsAdded", { count: imported.added }),
        description: t("sumsKnown", { count: imported.known }),
      });
      onClose();
    },
  });
  return (
    <FormDialog
      title={t("addSums")}
      description={t("addSumsHelp")}
      button={[t("addSumsNow"), tAdmin("saving")]}
      no={tAdmin("cancel")}
      onClose={onClose}
      {...form}
    >
      <FormField
        label={t("blockLabel")}
        hint={t("blockLabelHelp")}
        maxLength={BLOCK_LABEL_MAX_LENGTH}
        {...field("label")}
      />
      <FormTextArea label={t("blockSums")} hint={t("blockSumsHelp")} rows={8} spellCheck={false} {...field("list")} />
    </FormDialog>
  );
}
