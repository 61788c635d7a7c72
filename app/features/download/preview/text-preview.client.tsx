import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { SelectBox } from "#app/ui/select-box.tsx";
import { decodeText, ENCODINGS, findEncoding, type Encoding } from "#domain/decode-text.ts";
import type { Locale } from "#domain/locale.ts";
import { charsetOf } from "#domain/mime.ts";
import { TEXT_PREVIEW_BYTES } from "#domain/preview.ts";
import { formatBytes } from "#domain/units.ts";
import type { ViewerProps } from "./media.tsx";

/** Shows the first TEXT_PREVIEW_BYTES of a text. React escapes the text (decision 017). */
export default function TextPreview({ url, file, onError, loading, read }: ViewerProps) {
  const t = useMessages("download");
  const [chosen, setChosen] = useState<Encoding | null>(null);
  const { data, isError } = useQuery({
    queryKey: [url],
    queryFn: async ({ signal }) => {
      const bytes = await (read ? read(0, TEXT_PREVIEW_BYTES) : fetchBytes(url, signal));
      return { bytes, found: requireEncoding(bytes, charsetOf(file.mimeType)) };
    },
  });
  const encoding = chosen ?? data?.found;
  const text = useMemo(() => data && encoding && decodeText(data.bytes, encoding), [data, encoding]);
  useEffect(() => {
    if (isError) onError();
  }, [isError, onError]);
  if (data === undefined || encoding === undefined) return loading;
  return (
    <>
      {data.found !== "utf-8" && (
        <div className="mb-2 flex flex-wrap items-center gap-2 text-sm">
          <span aria-hidden>{t("textEncoding")}</span>
          <SelectBox
            label={t("textEncoding")}
            value={encoding}
            options={optionsIn(t.locale)}
            onChoose={(name) => setChosen(ENCODINGS.find(([each]) => each === name)?.[0] ?? null)}
          />
        </div>
      )}
      {/* The text is focusable so that the keyboard can scroll it. */}
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
function requireEncoding(bytes: Uint8Array, declared: string | null): Encoding {
  const encoding = findEncoding(bytes, declared);
  if (encoding === null) throw new Error("this is no text");
  return encoding;
}

/** The choices of encodings: each has the script's name in the reader's language, and the encoding's name. */
function optionsIn(locale: Locale): [Encoding, string][] {
  const scripts = new Intl.DisplayNames(locale, { type: "script" });
  return ENCODINGS.map(([name, script]) => [name, script === null ? name : `${scripts.of(script) ?? script}: ${name}`]);
}
