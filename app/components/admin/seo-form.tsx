import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { adminApi } from "#app/admin/api.ts";
import { useRecordForm } from "#app/admin/use-record-form.ts";
import { useMessages } from "#app/messages/messages.ts";
import { seoRequest, type SeoRecord, type SeoRequest } from "#domain/wire.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { Field, TextArea } from "../ui/field.tsx";

const LIST = "?tab=seo";

/** All that a page's head may say. @param record null for a new one */
export function SeoForm({ record }: { record: SeoRecord | null }) {
  const say = useMessages("officeRecords");
  const office = useMessages("office");
  const { errors, busy, onSubmit } = useRecordForm(seoRequest, {
    send: (body) => (record ? adminApi.updateSeo(record.id, body) : adminApi.createSeo(body)),
    done: (body) => ({
      title: say(record ? "seoUpdated" : "seoCreated"),
      description: say("seoSavedHelp", { page: body.page }),
    }),
    failed: record
      ? { title: office("updateFailed"), fallback: say("updateSeoFailed") }
      : { title: say("creationFailed"), fallback: say("createSeoFailed") },
    list: LIST,
  });
  const field = (name: Exclude<keyof SeoRequest, "page">) => ({ ...unnamed(name), label: say(name) });
  const unnamed = (name: keyof SeoRequest) => ({
    name,
    defaultValue: record?.[name] ?? "",
    error: errors[name],
    autoComplete: "off",
  });
  return (
    <section aria-label={say("seoForm")}>
      <h2 className="mb-4 font-display text-2xl font-semibold">
        {record ? say("seoOf", { page: record.page }) : say("newSeo")}
      </h2>
      <Card>
        <form className="grid gap-7" noValidate onSubmit={onSubmit}>
          <Group legend={say("thePage")}>
            <Field {...unnamed("page")} label={say("pagePath")} hint={say("pagePathHelp")} />
            <Field {...field("title")} />
            <Wide>
              <TextArea {...field("description")} rows={2} />
            </Wide>
            <Field {...field("keywords")} hint={say("keywordsHelp")} />
            <Field {...field("canonicalUrl")} />
          </Group>
          <Group legend={say("openGraph")}>
            <Field {...field("ogTitle")} />
            <Field {...field("ogImage")} hint={say("anAddress")} />
            <Wide>
              <TextArea {...field("ogDescription")} rows={2} />
            </Wide>
          </Group>
          <Group legend={say("twitter")}>
            <Field {...field("twitterTitle")} />
            <Field {...field("twitterImage")} hint={say("anAddress")} />
            <Wide>
              <TextArea {...field("twitterDescription")} rows={2} />
            </Wide>
          </Group>
          <Group legend={say("forMachines")}>
            <Wide>
              <TextArea {...field("structuredData")} rows={8} spellCheck={false} hint={say("structuredDataHelp")} />
            </Wide>
          </Group>
          <div className="flex flex-wrap gap-3">
            <Button type="submit" disabled={busy}>
              {busy ? office("saving") : say(record ? "saveChanges" : "create")}
            </Button>
            <Link to={LIST} className={buttonClass("quiet")}>
              {office("cancel")}
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
