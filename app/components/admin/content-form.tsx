import { Link } from "@remix-run/react";
import { useState } from "react";
import { adminApi } from "#app/admin/api.ts";
import { useRecordForm } from "#app/admin/use-record-form.ts";
import { useMessages } from "#app/messages/messages.ts";
import { pageContentRequest, type PageContentRecord } from "#domain/wire.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { Field, TextArea } from "../ui/field.tsx";
import { ContentPreview } from "./content-preview.tsx";

const LIST = "?tab=content";

/** A page's text, and beside it what readers are served. @param record null for a new one */
export function ContentForm({ record }: { record: PageContentRecord | null }) {
  const say = useMessages("officeRecords");
  const office = useMessages("office");
  const [title, setTitle] = useState(record?.title ?? "");
  const [content, setContent] = useState(record?.content ?? "");
  const { errors, busy, onSubmit } = useRecordForm(pageContentRequest, {
    send: (body) => (record ? adminApi.updateContent(record.id, body) : adminApi.createContent(body)),
    done: (body) => ({
      title: say(record ? "pageUpdated" : "pageCreated"),
      description: say("pageSavedHelp", { title: body.title }),
    }),
    failed: record
      ? { title: office("updateFailed"), fallback: say("updatePageFailed") }
      : { title: say("creationFailed"), fallback: say("createPageFailed") },
    list: LIST,
  });
  return (
    <section aria-label={say("pageEditor")}>
      <h2 className="mb-4 font-display text-2xl font-semibold">
        {record ? say("editPage", { title: record.title }) : say("newPage")}
      </h2>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Card>
          <form className="grid gap-4" noValidate onSubmit={onSubmit}>
            <Field
              label={say("title")}
              name="title"
              autoComplete="off"
              value={title}
              error={errors.title}
              onChange={(event) => {
                setTitle(event.target.value);
              }}
            />
            <Field
              label={say("slug")}
              name="slug"
              autoComplete="off"
              defaultValue={record?.slug ?? ""}
              hint={say("slugHelp")}
              error={errors.slug}
            />
            <TextArea
              label={say("pageText")}
              name="content"
              rows={18}
              value={content}
              hint={say("pageTextHelp")}
              error={errors.content}
              onChange={(event) => {
                setContent(event.target.value);
              }}
            />
            <div className="flex flex-wrap gap-3">
              <Button type="submit" disabled={busy || content.trim() === ""}>
                {busy ? office("saving") : say(record ? "saveChanges" : "create")}
              </Button>
              <Link to={LIST} className={buttonClass("quiet")}>
                {office("cancel")}
              </Link>
            </div>
          </form>
        </Card>
        <ContentPreview title={title} content={content} />
      </div>
    </section>
  );
}
