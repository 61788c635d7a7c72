import { Link } from "@remix-run/react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState, useEffect } from "react";
import { adminApi } from "#app/features/admin/admin-api.ts";
import { call } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { FormField, FormTextArea } from "#app/ui/form-field.tsx";
import { type PageContentRecord, pageContentRequest } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import { adminErrorToast, adminErrorMessage } from "./admin-changes.ts";
import type { Column } from "./data-table.tsx";
import { DateTime } from "./date-time.tsx";
import { countValues } from "./list-panel.tsx";
import { RecordsTab, useRecordForm } from "./records-tab.tsx";

const columns = (t: Translate<"adminRecords">, tAdmin: Translate<"admin">): Column<PageContentRecord>[] => [
  { label: tAdmin("id"), cell: ({ id }) => <code className="text-xs wrap-anywhere text-muted">{id}</code> },
  { label: t("title"), cell: ({ title }) => <span className="font-medium">{title}</span> },
  { label: t("slug"), cell: ({ slug }) => slug },
  { label: t("lastUpdated"), cell: ({ updatedAt }) => <DateTime at={updatedAt} withTime /> },
];

export function ContentTab({ records }: { records: PageContentRecord[] }) {
  const t = useMessages("adminRecords");
  const tAdmin = useMessages("admin");
  return (
    <RecordsTab
      tab="content"
      title={t("content")}
      count={t("pageCount", countValues(records.length))}
      empty={t("noContent")}
      addLabel={t("addPage")}
      columns={columns(t, tAdmin)}
      records={records}
      nameOf={({ title }) => title}
      form={(record, key) => <ContentForm key={key} record={record} />}
      deletion={{
        title: t("deletePageQuestion"),
        action: t("deletePage"),
        describe: ({ title }) => t("deletePageHelp", { title }),
        run: ({ id }) => call("DELETE /api/content/:id", { params: { id } }),
        done: { title: t("pageDeleted"), describe: ({ title }) => t("pageDeletedHelp", { title }) },
        onError: adminErrorToast(t("deletionFailed"), t("deletePageFailed")),
      }}
    />
  );
}

const LIST_PATH = "?tab=content";

/** @param record the page to edit; null for a new page */
function ContentForm({ record }: { record: PageContentRecord | null }) {
  const t = useMessages("adminRecords");
  const tAdmin = useMessages("admin");
  const [title, setTitle] = useState(record?.title ?? "");
  const [content, setContent] = useState(record?.content ?? "");
  const { field, busy, onSubmit } = useRecordForm(pageContentRequest, {
    send: (body) => (record ? adminApi.updateContent(record.id, body) : adminApi.createContent(body)),
    successToast: (body) => ({
      title: t(record ? "pageUpdated" : "pageCreated"),
      description: t("pageSavedHelp", { title: body.title }),
    }),
    errorToast: record
      ? { title: tAdmin("updateFailed"), fallback: t("updatePageFailed") }
      : { title: t("creationFailed"), fallback: t("createPageFailed") },
    listPath: LIST_PATH,
  });
  return (
    <section aria-label={t("pageEditor")}>
      <h2 className="mb-4 font-display text-2xl font-semibold">
        {record ? t("editPage", { title: record.title }) : t("newPage")}
      </h2>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Card>
          <form className="grid gap-4" noValidate onSubmit={onSubmit}>
            <FormField
              label={t("title")}
              autoComplete="off"
              value={title}
              onChange={(event) => setTitle(event.target.value)}
              {...field("title")}
            />
            <FormField
              label={t("slug")}
              autoComplete="off"
              defaultValue={record?.slug ?? ""}
              hint={t("slugHelp")}
              {...field("slug")}
            />
            <FormTextArea
              label={t("pageText")}
              rows={18}
              value={content}
              hint={t("pageTextHelp")}
              onChange={(event) => setContent(event.target.value)}
              {...field("content")}
            />
            <div className="flex flex-wrap gap-3">
              <Button type="submit" busy={busy} disabled={content.trim() === ""}>
                {busy ? tAdmin("saving") : t(record ? "saveChanges" : "create")}
              </Button>
              <Link to={LIST_PATH} className={buttonClass("quiet")}>
                {tAdmin("cancel")}
              </Link>
            </div>
          </form>
        </Card>
        <ContentPreview title={title} content={content} />
      </div>
    </section>
  );
}

const PREVIEW_DELAY_MS = 400;

/** Renders the text on the server: Markdown to sanitised HTML, with facts such as `{product}` filled in. */
function ContentPreview({ title, content }: { title: string; content: string }) {
  const t = useMessages("adminRecords");
  const settledContent = useDebounced(content);
  const isEmpty = settledContent.trim() === "";
  const { data, error } = useQuery({
    queryKey: ["/api/content/preview", settledContent],
    queryFn: ({ signal }) => adminApi.previewContent(settledContent, signal),
    enabled: !isEmpty,
    placeholderData: keepPreviousData,
    // The preview is not cached, because texts are long and change often.
    gcTime: 0,
  });
  return (
    <section aria-label={t("preview")} aria-busy={settledContent !== content} className="lg:sticky lg:top-6">
      <p className="mb-2 text-sm text-muted">{t("previewOf")}</p>
      <Card>
        <h3 className="mb-4 font-display text-3xl font-semibold break-words">{title.trim() || t("untitled")}</h3>
        {isEmpty ? (
          <p className="text-muted">{t("nothingWritten")}</p>
        ) : error ? (
          <p role="alert" className="text-danger">
            {adminErrorMessage(error, t("previewFailed"))}
          </p>
        ) : data === undefined ? (
          <p className="text-muted">{t("preparingPreview")}</p>
        ) : (
          // The server has sanitised the HTML (worker/content/render.ts).
          <div className="prose max-h-[70dvh] overflow-y-auto" dangerouslySetInnerHTML={{ __html: data }} />
        )}
      </Card>
    </section>
  );
}

/** @returns the text once it has not changed for PREVIEW_DELAY_MS */
function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), PREVIEW_DELAY_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return debounced;
}
