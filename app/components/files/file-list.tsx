import { useSearchParams } from "@remix-run/react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api, ApiError, queryKeys, UnexpectedAnswerError } from "#app/api.ts";
import { messageOf } from "#app/forms.ts";
import { filesQuery, FILE_ORDERS, type FileOrder, type FilesPage, type FilesQuery } from "#domain/wire.ts";
import { Card } from "../ui/card.tsx";
import { controlClass } from "../ui/field.tsx";
import { Notice } from "../ui/notice.tsx";
import { Paging } from "../ui/paging.tsx";
import { SearchBox } from "../ui/search-box.tsx";
import { FileRow } from "./file-row.tsx";

const ORDER_LABELS: Record<FileOrder, string> = {
  newest: "Newest first",
  oldest: "Oldest first",
  name: "By name",
  largest: "Largest first",
  expiry: "Ending soonest",
};

interface FileListProps {
  /** What the document came with, and the query it answers. */
  initial: { query: FilesQuery; page: FilesPage };
  origin: string;
}

/** A person's finished files. What is shown is in the address, so that it can be kept and gone back to. */
export function FileList({ initial, origin }: FileListProps) {
  const [params, setParams] = useSearchParams();
  const query = readQuery(params);
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: [...queryKeys.files, query],
    queryFn: () => api.files(query),
    ...(JSON.stringify(query) === JSON.stringify(initial.query) ? { initialData: initial.page } : {}),
    placeholderData: keepPreviousData,
    retry: (count, reason) => count < 3 && !isFinal(reason),
  });
  const show = (change: Record<string, string | null>) => {
    setParams(
      (now) => {
        for (const [name, value] of Object.entries(change)) {
          if (value === null || value === "") now.delete(name);
          else now.set(name, value);
        }
        return now;
      },
      { replace: true, preventScrollReset: true },
    );
  };

  if (error) return <ListError error={error} onRetry={() => void refetch()} />;
  if (!data) return <ListSkeleton />;
  const isFiltered = query.q !== undefined;
  return (
    <>
      {(data.total > 1 || isFiltered) && (
        <Toolbar
          search={query.q ?? ""}
          order={query.sort ?? "newest"}
          onSearch={(q) => {
            show({ q, page: null });
          }}
          onOrder={(sort) => {
            show({ sort: sort === "newest" ? null : sort, page: null });
          }}
        />
      )}
      <Card className="p-2! sm:p-3!">
        {data.files.length === 0 ? (
          <p className="px-4 py-14 text-center text-muted">
            {isFiltered
              ? `No file's name holds “${query.q}”.`
              : data.total > 0
                ? "This page is empty by now."
                : "Nothing here yet. Files you upload appear in this list."}
          </p>
        ) : (
          <ul className="divide-y divide-line" aria-busy={isPlaceholderData}>
            {data.files.map((file) => (
              <FileRow key={file.id} file={file} shareUrl={`${origin}/download/${file.downloadId}`} />
            ))}
          </ul>
        )}
      </Card>
      {(data.pages > 1 || data.page > data.pages) && (
        <Paging
          page={data.page}
          pages={data.pages}
          onPage={(page) => {
            show({ page: page === 1 ? null : String(page) });
            scrollTo({ top: 0 });
          }}
        />
      )}
    </>
  );
}

/** What the address asks for; what it cannot mean is left out. */
export function readQuery(params: URLSearchParams): FilesQuery {
  const parsed = filesQuery.safeParse(Object.fromEntries(params));
  return parsed.success ? parsed.data : {};
}

interface ToolbarProps {
  search: string;
  order: FileOrder;
  onSearch(search: string): void;
  onOrder(order: FileOrder): void;
}

function Toolbar({ search, order, onSearch, onOrder }: ToolbarProps) {
  return (
    <div className="mb-4 flex flex-wrap gap-3">
      <SearchBox label="Search your files" placeholder="Search by name" search={search} onSearch={onSearch} />
      <label className="w-full sm:w-auto">
        <span className="sr-only">Order</span>
        <select
          value={order}
          className={controlClass}
          onChange={(event) => {
            onOrder(FILE_ORDERS.find((known) => known === event.target.value) ?? "newest");
          }}
        >
          {FILE_ORDERS.map((known) => (
            <option key={known} value={known}>
              {ORDER_LABELS[known]}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

/** Asking again would bring the same. */
function isFinal(error: unknown): boolean {
  return error instanceof UnexpectedAnswerError || (error instanceof ApiError && error.status < 500);
}

function ListError({ error, onRetry }: { error: unknown; onRetry(): void }) {
  if (error instanceof ApiError && error.status === 401) {
    return (
      <Notice title="Authentication Error" action={{ label: "Log in", to: "/login?returnTo=/dashboard" }}>
        Please log in to see your files.
      </Notice>
    );
  }
  if (error instanceof UnexpectedAnswerError) {
    return (
      <Notice
        title="Unexpected data format"
        action={{
          label: "Reload",
          onClick: () => {
            location.reload();
          },
        }}
      >
        The server answered something this page does not understand. Reloading usually brings them together again.
      </Notice>
    );
  }
  return (
    <Notice title="Error loading files" action={{ label: "Retry", onClick: onRetry }}>
      {messageOf(error, "Your files could not be loaded. Please try again.")}
    </Notice>
  );
}

function ListSkeleton() {
  return (
    <Card className="p-2! sm:p-3!">
      <ul aria-label="Loading your files" aria-busy className="divide-y divide-line">
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
