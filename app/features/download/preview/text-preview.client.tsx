import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { decodeText } from "#domain/decode-text.ts";
import { TEXT_PREVIEW_BYTES } from "#domain/preview.ts";
import { formatBytes } from "#domain/units.ts";
import type { ViewerProps } from "./media.tsx";

/** Shows at most TEXT_PREVIEW_BYTES. React escapes the text (decision 017). */
export default function TextPreview({ url, file, onError, loading, read }: ViewerProps) {
  const t = useMessages("download");
  const { data: text, isError } = useQuery({
    queryKey: [url],
    queryFn: async ({ signal }) => toText(await (read ? read(0, TEXT_PREVIEW_BYTES) : fetchBytes(url, signal))),
  });
  useEffect(() => {
    if (isError) onError();
  }, [isError, onError]);
  if (text === undefined) return loading;
  return (
    <>
      {/* Focusable so that the keyboard can scroll it. */}
      <pre
        tabIndex={0}
        className="max-h-[60vh] overflow-auto rounded-2xl bg-sunken p-4 text-[0.8125rem] break-words whitespace-pre-wrap"
      >
        {text}
      </pre>
      {file.size > TEXT_PREVIEW_BYTES && (
        <p className="mt-2 text-sm text-muted">
          {t("textCut", {
            shown: formatBytes(TEXT_PREVIEW_BYTES, t.locale),
            size: formatBytes(file.size, t.locale),
          })}
        </p>
      )}
    </>
  );
}

/** @throws Error if the request fails */
async function fetchBytes(url: string, signal: AbortSignal): Promise<Uint8Array> {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error(`the preview answered ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** @throws Error if the bytes are not text */
function toText(bytes: Uint8Array): string {
  const text = decodeText(bytes);
  if (text === null) throw new Error("this is no text");
  return text;
}
