import { Link } from "@remix-run/react";
import { useState } from "react";
import { adminApi } from "#app/features/admin/admin-api.ts";
import { useRecordForm } from "#app/features/admin/use-record-form.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { pageContentRequest, type PageContentRecord } from "#domain/wire.ts";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { FormField, FormTextArea } from "#app/ui/form-field.tsx";
import { ContentPreview } from "./content-preview.tsx";

const LIST_PATH = "?tab=content";

/** @param record null for a new page */
export function ContentForm({ record }: { record: PageContentRecord | null }) {
  const t = useMessages("adminRecords");
  const tAdmin = useMessages("admin");
  const [title, setTitle] = useState(record?.title ?? "");
  const [content, setContent] = useState(record?.content ?? "");
  const { errors, busy, onSubmit } = useRecordForm(pageContentRequest, {
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
              name="title"
              autoComplete="off"
              value={title}
              error={errors.title}
              onChange={(event) => {
                setTitle(event.target.value);
              }}
            />
            <FormField
              label={t("slug")}
              name="slug"
              autoComplete="off"
              defaultValue={record?.slug ?? ""}
              hint={t("slugHelp")}
              error={errors.slug}
            />
            <FormTextArea
              label={t("pageText")}
              name="content"
              rows={18}
              value={content}
              hint={t("pageTextHelp")}
              error={errors.content}
              onChange={(event) => {
                setContent(event.target.value);
              }}
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
