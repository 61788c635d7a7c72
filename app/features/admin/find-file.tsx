import { useMessages } from "#app/lib/i18n/messages.ts";
import { useSearchChange } from "#app/lib/search-params.ts";
import { formatBytes } from "#domain/units.ts";
import type { AdminFile } from "#domain/wire.ts";
import type { AdminView } from "#worker/page-types.ts";
import { Card } from "#app/ui/card.tsx";
import { SearchBox } from "#app/ui/search-box.tsx";
import { FileActions } from "./file-actions.tsx";
import { FileName } from "./file-name.tsx";
import { UserLink } from "./user-link.tsx";

interface FindFileProps {
  fileSearch: string;
  foundFile: AdminView<AdminFile> | null;
  origin: string;
}

/** Finds any file by its link, to answer a takedown request. */
export function FindFile({ fileSearch, foundFile, origin }: FindFileProps) {
  const t = useMessages("adminRecords");
  const show = useSearchChange();
  return (
    <section aria-label={t("findFile")} className="mb-6">
      <div className="flex">
        <SearchBox
          label={t("findFile")}
          placeholder={t("findFileBy")}
          search={fileSearch}
          onSearch={(file) => {
            show({ file });
          }}
        />
      </div>
      {foundFile?.kind === "refused" && (
        <p role="status" className="mt-2 text-sm text-muted">
          {foundFile.status === 404 ? t("noSuchFile") : foundFile.message}
        </p>
      )}
      {foundFile?.kind === "answer" && (
        <Card className="mt-3 p-4!">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <div className="min-w-0 text-sm">
              <FileName file={foundFile.answer} />
              <p className="text-muted">
                {formatBytes(foundFile.answer.size, t.locale)} · <UserLink userId={foundFile.answer.userId} />
              </p>
            </div>
            <div className="flex flex-wrap gap-1.5">
              <FileActions file={foundFile.answer} origin={origin} />
            </div>
          </div>
        </Card>
      )}
    </section>
  );
}
