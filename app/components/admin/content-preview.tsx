import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { adminApi } from "#app/admin/api.ts";
import { refusalOf } from "#app/admin/refusal.ts";
import { useMessages } from "#app/messages/messages.ts";
import { Card } from "../ui/card.tsx";

/** Typing is over when nothing was typed for so long. */
const PREVIEW_DELAY_MS = 400;

/** What readers will be served, as the server makes it: sanitised, with its facts written out. */
export function ContentPreview({ title, content }: { title: string; content: string }) {
  const say = useMessages("officeRecords");
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
    <section aria-label={say("preview")} aria-busy={typed !== content} className="lg:sticky lg:top-6">
      <p className="mb-2 text-sm text-muted">{say("previewOf")}</p>
      <Card>
        <h3 className="mb-4 font-display text-3xl font-semibold break-words">{title.trim() || say("untitled")}</h3>
        {isEmpty ? (
          <p className="text-muted">{say("nothingWritten")}</p>
        ) : error ? (
          <p role="alert" className="text-danger">
            {refusalOf(error, say("previewFailed"))}
          </p>
        ) : data === undefined ? (
          <p className="text-muted">{say("preparingPreview")}</p>
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
