import { Link, useNavigate } from "@remix-run/react";
import type { ReactNode } from "react";
import { adminApi } from "#app/admin/api.ts";
import { refusalToast } from "#app/admin/refusal.ts";
import { useRefused } from "#app/admin/use-change.ts";
import { useForm } from "#app/use-form.ts";
import { seoRequest, type SeoRecord, type SeoRequest } from "#domain/wire.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { Field, TextArea } from "../ui/field.tsx";
import { toast } from "../ui/toast.tsx";

const LIST = "?tab=seo";
const createFailed = refusalToast("Creation failed", "There was a problem creating the SEO content");
const updateFailed = refusalToast("Update failed", "There was a problem updating the SEO content");

/** All that a page's head may say. @param record null for a new one */
export function SeoForm({ record }: { record: SeoRecord | null }) {
  const navigate = useNavigate();
  const { errors, busy, onSubmit } = useForm(seoRequest, {
    onError: useRefused(record ? updateFailed : createFailed),
    send: async (body) => {
      await (record ? adminApi.updateSeo(record.id, body) : adminApi.createSeo(body));
      toast({
        title: record ? "SEO content updated" : "SEO content created",
        description: `The head of ${body.page} says so from now on.`,
      });
      navigate(LIST);
    },
  });
  const field = (name: keyof SeoRequest, label: string) => ({
    name,
    label,
    defaultValue: record?.[name] ?? "",
    error: errors[name],
    autoComplete: "off",
  });
  return (
    <section aria-label="SEO form">
      <h2 className="mb-4 font-display text-2xl font-semibold">
        {record ? `SEO of ${record.page}` : "New SEO content"}
      </h2>
      <Card>
        <form className="grid gap-7" noValidate onSubmit={onSubmit}>
          <Group legend="The page">
            <Field {...field("page", "Page path")} hint="For example / or /about" />
            <Field {...field("title", "Title")} />
            <Wide>
              <TextArea {...field("description", "Description")} rows={2} />
            </Wide>
            <Field {...field("keywords", "Keywords")} hint="Separated by commas" />
            <Field {...field("canonicalUrl", "Canonical URL (optional)")} />
          </Group>
          <Group legend="Open Graph, for links in chats and networks">
            <Field {...field("ogTitle", "Open Graph title (optional)")} />
            <Field {...field("ogImage", "Open Graph image (optional)")} hint="An address" />
            <Wide>
              <TextArea {...field("ogDescription", "Open Graph description (optional)")} rows={2} />
            </Wide>
          </Group>
          <Group legend="Twitter">
            <Field {...field("twitterTitle", "Twitter title (optional)")} />
            <Field {...field("twitterImage", "Twitter image (optional)")} hint="An address" />
            <Wide>
              <TextArea {...field("twitterDescription", "Twitter description (optional)")} rows={2} />
            </Wide>
          </Group>
          <Group legend="For machines">
            <Wide>
              <TextArea
                {...field("structuredData", "Structured data (optional)")}
                rows={8}
                spellCheck={false}
                hint="JSON-LD: an object or a list"
              />
            </Wide>
          </Group>
          <div className="flex flex-wrap gap-3">
            <Button type="submit" disabled={busy}>
              {busy ? "Saving…" : record ? "Save changes" : "Create"}
            </Button>
            <Link to={LIST} className={buttonClass("quiet")}>
              Cancel
            </Link>
          </div>
        </form>
      </Card>
    </section>
  );
}

function Group({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset>
      <legend className="mb-3 font-medium">{legend}</legend>
      <div className="grid items-start gap-4 sm:grid-cols-2">{children}</div>
    </fieldset>
  );
}

function Wide({ children }: { children: ReactNode }) {
  return <div className="sm:col-span-2">{children}</div>;
}
