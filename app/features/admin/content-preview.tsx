import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { adminApi } from "#app/features/admin/admin-api.ts";
import { refusalOf } from "#app/features/admin/admin-errors.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Card } from "#app/ui/card.tsx";

/** Typing is over when nothing was typed for so long. */
const PREVIEW_DELAY_MS = 400;

/** What readers will be served, as the server makes it: sanitised, with its facts written out. */
export function ContentPreview({ title, content }: { title: string; content: string }) {
  const t = useMessages("adminRecords");
  const typed = useSettled(content);
  const isEmpty = typed.trim() === "";
  const { data, error } = useQuery({
    queryKey: ["/api/content/preview", typed],
    queryFn: ({ signal }) => adminApi.previewContent(typed, signal),
    enabled: !isEmpty,
    placeholderData: keepPreviousData,
    // A text is long, and the next one follows soon.
    gcTime: 0,
  });
  return (
    <section aria-label={t("preview")} aria-busy={typed !== content} className="lg:sticky lg:top-6">
      <p className="mb-2 text-sm text-muted">{t("previewOf")}</p>
      <Card>
        <h3 className="mb-4 font-display text-3xl font-semibold break-words">{title.trim() || t("untitled")}</h3>
        {isEmpty ? (
          <p className="text-muted">{t("nothingWritten")}</p>
        ) : error ? (
          <p role="alert" className="text-danger">
            {refusalOf(error, t("previewFailed"))}
          </p>
        ) : data === undefined ? (
          <p className="text-muted">{t("preparingPreview")}</p>
        ) : (
          // Sanitised by the server (worker/content/render.ts).
          <div className="prose max-h-[70dvh] overflow-y-auto" dangerouslySetInnerHTML={{ __html: data }} />
        )}
      </Card>
    </section>
  );
}

/** The text, once it has not changed for a while. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => {
      setSettled(text);
    }, PREVIEW_DELAY_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [text]);
  return settled;
}
