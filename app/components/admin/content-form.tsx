import { Link, useNavigate } from "@remix-run/react";
import { useState } from "react";
import { adminApi } from "#app/admin/api.ts";
import { refusalToast } from "#app/admin/refusal.ts";
import { useRefused } from "#app/admin/use-change.ts";
import { useForm } from "#app/use-form.ts";
import { pageContentRequest, type PageContentRecord } from "#domain/wire.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { Field, TextArea } from "../ui/field.tsx";
import { toast } from "../ui/toast.tsx";
import { ContentPreview } from "./content-preview.tsx";

const LIST = "?tab=content";
const createFailed = refusalToast("Creation failed", "There was a problem creating the page");
const updateFailed = refusalToast("Update failed", "There was a problem updating the page");

/** A page's text, and beside it what readers are served. @param record null for a new one */
export function ContentForm({ record }: { record: PageContentRecord | null }) {
  const navigate = useNavigate();
  const [title, setTitle] = useState(record?.title ?? "");
  const [content, setContent] = useState(record?.content ?? "");
  const { errors, busy, onSubmit } = useForm(pageContentRequest, {
    onError: useRefused(record ? updateFailed : createFailed),
    send: async (body) => {
      await (record ? adminApi.updateContent(record.id, body) : adminApi.createContent(body));
      toast({
        title: record ? "Page updated" : "Page created",
        description: `Readers see “${body.title}” as it is now.`,
      });
      navigate(LIST);
    },
  });
  return (
    <section aria-label="Page editor">
      <h2 className="mb-4 font-display text-2xl font-semibold">{record ? `Edit “${record.title}”` : "New page"}</h2>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Card>
          <form className="grid gap-4" noValidate onSubmit={onSubmit}>
            <Field
              label="Title"
              name="title"
              autoComplete="off"
              value={title}
              error={errors.title}
              onChange={(event) => {
                setTitle(event.target.value);
              }}
            />
            <Field
              label="Slug"
              name="slug"
              autoComplete="off"
              defaultValue={record?.slug ?? ""}
              hint="Its name in addresses: small letters, digits and hyphens"
              error={errors.slug}
            />
            <TextArea
              label="Content"
              name="content"
              rows={18}
              value={content}
              hint="Markdown or HTML. Scripts and event handlers never reach a reader."
              error={errors.content}
              onChange={(event) => {
                setContent(event.target.value);
              }}
            />
            <div className="flex flex-wrap gap-3">
              <Button type="submit" disabled={busy || content.trim() === ""}>
                {busy ? "Saving…" : record ? "Save changes" : "Create"}
              </Button>
              <Link to={LIST} className={buttonClass("quiet")}>
                Cancel
              </Link>
            </div>
          </form>
        </Card>
        <ContentPreview title={title} content={content} />
      </div>
    </section>
  );
}
