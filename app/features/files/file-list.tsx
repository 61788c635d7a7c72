import { useSearchParams } from "@remix-run/react";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { Files } from "lucide-react";
import { lazy, Suspense } from "react";
import { ApiError, queryKeys } from "#app/lib/api.ts";
import { useHydrated } from "#app/lib/clock.ts";
import { messageOf } from "#app/lib/form-errors.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { useSearchChange } from "#app/lib/search-params.ts";
import { useDownloadsDone } from "#app/lib/use-account-feed.ts";
import { Card } from "#app/ui/card.tsx";
import { EmptyList, Notice } from "#app/ui/list-notices.tsx";
import { ListTools, Paging, useFileSortOptions } from "#app/ui/list-tools.tsx";
import { SelectBox } from "#app/ui/select-box.tsx";
import { filesQuery, type FilesPage, type FilesQuery, type ListedFile } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import { ChosenBar, moveBetweenCheckboxes, useChosenRows } from "./chosen-rows.tsx";
import { FileRow } from "./file-row.tsx";
import { filesApi, UnexpectedAnswerError } from "./files-api.ts";
import { KeptMatches, useKeptMatches } from "./kept-matches.tsx";
import { nameOf } from "./shown-file.tsx";

const ProtectionDialog = lazy(() => importWhenOnline(() => import("#app/ui/protection/protection-dialog.client.tsx")));

interface FileListProps {
  initial: { query: FilesQuery; page: FilesPage };
  origin: string;
}

/** The account's files. The URL holds the search, label, order and page of the list. */
export function FileList({ initial, origin }: FileListProps) {
  const t = useMessages("files");
  const sortOptions = useFileSortOptions();
  const [params] = useSearchParams();
  const query = parseFilesQuery(params);
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: [...queryKeys.files, query],
    queryFn: () => filesApi.files(query),
    ...(JSON.stringify(query) === JSON.stringify(initial.query) ? { initialData: initial.page } : {}),
    placeholderData: keepPreviousData,
    retry: (count, reason) => count < 3 && !isPermanentError(reason),
  });
  const queries = useQueryClient();
  useDownloadsDone(() => void queries.invalidateQueries({ queryKey: queryKeys.files }));

  const keptMatches = useKeptMatches(query.q);

  if (error) return <ListError error={error} onRetry={() => void refetch()} />;
  if (!data) return <ListSkeleton />;
  const isFiltered = query.q !== undefined || query.label !== undefined;
  if (data.total === 0 && !isFiltered)
    return <EmptyList icon={<Files size={30} aria-hidden />} title={t("empty")} text={t("emptyHelp")} />;
  return (
    <>
      {(data.total > 1 || isFiltered) && (
        <div className="mb-4 flex flex-wrap gap-3">
          <ListTools label={t("search")} placeholder={t("searchByName")} query={query} sortOptions={sortOptions} />
          <LabelFilter label={query.label} labels={data.labels} />
        </div>
      )}
      {keptMatches.length > 0 && <KeptMatches links={keptMatches} />}
      {data.files.length === 0 ? (
        <Card className="p-2! sm:p-3!">
          <p className="px-4 py-14 text-center text-muted">{emptyPage(query, keptMatches.length > 0, t)}</p>
        </Card>
      ) : (
        // Another page or search begins without chosen rows.
        <Rows key={JSON.stringify(query)} files={data.files} origin={origin} isOld={isPlaceholderData} />
      )}
      {(data.pages > 1 || data.page > data.pages) && <Paging at={data} />}
      <GuardsFromAddress files={data.files} />
    </>
  );
}

interface RowsProps {
  files: readonly ListedFile[];
  origin: string;
  /** These are the rows of another page, until the page's own are there. */
  isOld: boolean;
}

function Rows({ files, origin, isOld }: RowsProps) {
  const { chosen, chooseAll, choiceOf } = useChosenRows(files);
  return (
    <>
      <Card className="p-2! sm:p-3!">
        <ul
          className="divide-y divide-line"
          aria-busy={isOld}
          onKeyDown={(event) => {
            if (event.key === "Escape") chooseAll(false);
            else moveBetweenCheckboxes(event);
          }}
        >
          {files.map((file) => (
            <FileRow
              key={file.id}
              file={file}
              shareUrl={`${origin}/download/${file.downloadId}`}
              choice={choiceOf(file)}
            />
          ))}
        </ul>
      </Card>
      <ChosenBar chosen={chosen} of={files.length} onChooseAll={chooseAll} />
    </>
  );
}

/** Why the page of the list has no rows. */
function emptyPage({ q, label }: FilesQuery, hasOthers: boolean, t: Translate<"files">): string {
  if (q !== undefined) return t(hasOthers ? "noOtherMatch" : "noMatch", { search: q });
  return label === undefined ? t("pageEmpty") : t("noneWithLabel", { label });
}

/** Shows the links with one label. Nothing for an account without labels. */
function LabelFilter({ label = "", labels }: { label: string | undefined; labels: readonly string[] }) {
  const t = useMessages("files");
  const show = useSearchChange();
  // A label that no link has any more is still shown as chosen.
  const all = label === "" || labels.includes(label) ? labels : [label, ...labels];
  if (all.length === 0) return null;
  return (
    <SelectBox
      label={t("labelShown")}
      value={label}
      options={[["", t("allLabels")], ...all.map((one) => [one, one] as const)]}
      onChoose={(chosen) => show({ label: chosen })}
    />
  );
}

/** @returns the query of the file list; empty if a parameter is invalid */
export function parseFilesQuery(params: URLSearchParams): FilesQuery {
  const parsed = filesQuery.safeParse(Object.fromEntries(params));
  return parsed.success ? parsed.data : {};
}

function isPermanentError(error: unknown): boolean {
  return error instanceof UnexpectedAnswerError || (error instanceof ApiError && error.status < 500);
}

function ListError({ error, onRetry }: { error: unknown; onRetry(): void }) {
  const t = useMessages("files");
  if (error instanceof ApiError && error.status === 401) {
    return (
      <Notice title={t("loginNeeded")} action={{ label: t("logIn"), to: "/login?returnTo=/dashboard" }}>
        {t("loginHelp")}
      </Notice>
    );
  }
  if (error instanceof UnexpectedAnswerError) {
    return (
      <Notice
        title={t("unexpected")}
        action={{
          label: t("reload"),
          onClick: () => location.reload(),
        }}
      >
        {t("unexpectedHelp")}
      </Notice>
    );
  }
  return (
    <Notice title={t("loadFailed")} action={{ label: t("retry"), onClick: onRetry }}>
      {messageOf(error, t("loadFailedHelp"))}
    </Notice>
  );
}

function ListSkeleton() {
  const t = useMessages("files");
  return (
    <Card className="p-2! sm:p-3!">
      <ul aria-label={t("loading")} aria-busy className="divide-y divide-line">
        {[0, 1, 2].map((row) => (
          <li key={row} className="flex animate-pulse items-center gap-4 px-3 py-4">
            <span className="size-11 rounded-xl bg-sunken" />
            <span className="h-4 flex-1 rounded bg-sunken" />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/**
 * Opens the protection dialog for the file that `?guards={id}` names; mails link to this address. The file may be on
 * another page of the list.
 */
function GuardsFromAddress({ files }: { files: readonly ListedFile[] }) {
  const [params] = useSearchParams();
  const show = useSearchChange();
  const hydrated = useHydrated();
  const id = params.get("guards");
  if (id === null || id === "" || !hydrated) return null;
  const file = files.find((listed) => listed.id === id);
  return (
    <Suspense>
      <ProtectionDialog
        id={id}
        name={file && !file.seal ? nameOf(file) : null}
        onClose={() => show({ guards: null, page: params.get("page"), cursor: params.get("cursor") })}
      />
    </Suspense>
  );
}
