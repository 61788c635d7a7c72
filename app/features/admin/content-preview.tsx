import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { adminApi } from "#app/features/admin/admin-api.ts";
import { adminErrorMessage } from "#app/features/admin/admin-errors.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Card } from "#app/ui/card.tsx";

const PREVIEW_DELAY_MS = 400;

/** Renders the text on the server: Markdown to sanitised HTML, with facts such as `{product}` filled in. */
export function ContentPreview({ title, content }: { title: string; content: string }) {
  const t = useMessages("adminRecords");
  const settledContent = useDebounced(content);
  const isEmpty = settledContent.trim() === "";
  const { data, error } = useQuery({
    queryKey: ["/api/content/preview", settledContent],
    queryFn: ({ signal }) => adminApi.previewContent(settledContent, signal),
    enabled: !isEmpty,
    placeholderData: keepPreviousData,
    // Texts are long and change often: do not cache them.
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
          // Sanitised by the server (worker/content/render.ts).
          <div className="prose max-h-[70dvh] overflow-y-auto" dangerouslySetInnerHTML={{ __html: data }} />
        )}
      </Card>
    </section>
  );
}

/** Returns the text after it has not changed for PREVIEW_DELAY_MS. */
function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => {
      setDebounced(text);
    }, PREVIEW_DELAY_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [text]);
  return debounced;
}
