import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { call } from "#app/lib/api.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { FormField, FormTextArea } from "#app/ui/form-field.tsx";
import { type SeoRecord, seoRequest, type SeoRequest } from "#domain/wire.ts";
import type { Translate } from "#messages/translate.ts";
import { adminErrorToast } from "./admin-changes.ts";
import type { Column } from "./data-table.tsx";
import { DateTime } from "./date-time.tsx";
import { countValues } from "./list-panel.tsx";
import { RecordsTab, useRecordForm } from "./records-tab.tsx";

const columns = (t: Translate<"adminRecords">, tAdmin: Translate<"admin">): Column<SeoRecord>[] => [
  { label: tAdmin("id"), cell: ({ id }) => <code className="text-xs wrap-anywhere text-muted">{id}</code> },
  { label: t("page"), cell: ({ page }) => <span className="font-medium">{page}</span> },
  { label: t("title"), cell: ({ title }) => title },
  { label: t("lastUpdated"), cell: ({ updatedAt }) => <DateTime at={updatedAt} withTime /> },
];

export function SeoTab({ records }: { records: SeoRecord[] }) {
  const t = useMessages("adminRecords");
  const tAdmin = useMessages("admin");
  return (
    <RecordsTab
      tab="seo"
      title={t("seo")}
      count={t("recordCount", countValues(records.length))}
      empty={t("noSeo")}
      addLabel={t("addSeo")}
      columns={columns(t, tAdmin)}
      records={records}
      nameOf={({ page }) => page}
      form={(record, key) => <SeoForm key={key} record={record} />}
      deletion={{
        title: t("deleteSeoQuestion"),
        action: t("deleteSeo"),
        describe: ({ page }) => t("deleteSeoHelp", { page }),
        run: ({ id }) => call("DELETE /api/seo/:id", { params: { id } }),
        done: { title: t("seoDeleted"), describe: ({ page }) => t("seoDeletedHelp", { page }) },
        onError: adminErrorToast(t("deletionFailed"), t("deleteSeoFailed")),
      }}
    />
  );
}

const LIST_PATH = "?tab=seo";

/** @param record the record to edit; null for a new record */
function SeoForm({ record }: { record: SeoRecord | null }) {
  const t = useMessages("adminRecords");
  const tAdmin = useMessages("admin");
  const { errors, busy, onSubmit } = useRecordForm(seoRequest, {
    send: (body) =>
      record ? call("PUT /api/seo/:id", { params: { id: record.id }, body }) : call("POST /api/seo", { body }),
    successToast: (body) => ({
      title: t(record ? "seoUpdated" : "seoCreated"),
      description: t("seoSavedHelp", { page: body.page }),
    }),
    errorToast: record
      ? { title: tAdmin("updateFailed"), fallback: t("updateSeoFailed") }
      : { title: t("creationFailed"), fallback: t("createSeoFailed") },
    listPath: LIST_PATH,
  });
  const labelledFieldProps = (name: Exclude<keyof SeoRequest, "page">) => ({ ...fieldProps(name), label: t(name) });
  const fieldProps = (name: keyof SeoRequest) => ({
    name,
    defaultValue: record?.[name] ?? "",
    error: errors[name],
    autoComplete: "off",
  });
  return (
    <section aria-label={t("seoForm")}>
      <h2 className="mb-4 font-display text-2xl font-semibold">
        {record ? t("seoOf", { page: record.page }) : t("newSeo")}
      </h2>
      <Card>
        <form className="grid gap-7" noValidate onSubmit={onSubmit}>
          <Group legend={t("thePage")}>
            <FormField {...fieldProps("page")} label={t("pagePath")} hint={t("pagePathHelp")} />
            <FormField {...labelledFieldProps("title")} />
            <Wide>
              <FormTextArea {...labelledFieldProps("description")} rows={2} />
            </Wide>
            <FormField {...labelledFieldProps("keywords")} hint={t("keywordsHelp")} />
            <FormField {...labelledFieldProps("canonicalUrl")} />
          </Group>
          <Group legend={t("openGraph")}>
            <FormField {...labelledFieldProps("ogTitle")} />
            <FormField {...labelledFieldProps("ogImage")} hint={t("anAddress")} />
            <Wide>
              <FormTextArea {...labelledFieldProps("ogDescription")} rows={2} />
            </Wide>
          </Group>
          <Group legend={t("twitter")}>
            <FormField {...labelledFieldProps("twitterTitle")} />
            <FormField {...labelledFieldProps("twitterImage")} hint={t("anAddress")} />
            <Wide>
              <FormTextArea {...labelledFieldProps("twitterDescription")} rows={2} />
            </Wide>
          </Group>
          <Group legend={t("forMachines")}>
            <Wide>
              <FormTextArea
                {...labelledFieldProps("structuredData")}
                rows={8}
                spellCheck={false}
                hint={t("structuredDataHelp")}
              />
            </Wide>
          </Group>
          <div className="flex flex-wrap gap-3">
            <Button type="submit" busy={busy}>
              {busy ? tAdmin("saving") : t(record ? "saveChanges" : "create")}
            </Button>
            <Link to={LIST_PATH} className={buttonClass("quiet")}>
              {tAdmin("cancel")}
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
