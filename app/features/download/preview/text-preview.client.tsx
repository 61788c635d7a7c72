import { useQuery } from "@tanstack/react-query";
import clsx from "clsx";
import { Check, Copy } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { copyText } from "#app/lib/clipboard.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { SelectBox } from "#app/ui/select-box.tsx";
import { decodeText, ENCODINGS, findEncoding, type Encoding } from "#domain/decode-text.ts";
import type { Locale } from "#domain/locale.ts";
import { charsetOf } from "#domain/mime.ts";
import { isWrittenText, TEXT_PREVIEW_BYTES } from "#domain/preview.ts";
import { isProse, splitAtLinks } from "#domain/texts.ts";
import { formatBytes } from "#domain/units.ts";
import type { ViewerProps } from "./media.tsx";

/** Shows the first TEXT_PREVIEW_BYTES of a text. React escapes the text (decision 017). */
export default function TextPreview({ url, file, onError, loading, read }: ViewerProps) {
  const t = useMessages("download");
  const [chosen, setChosen] = useState<Encoding | null>(null);
  const isWritten = isWrittenText(file);
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
      <div className="mb-2 flex flex-wrap items-center gap-2 text-sm">
        {data.found !== "utf-8" && (
          <>
            <span aria-hidden>{t("textEncoding")}</span>
            <SelectBox
              label={t("textEncoding")}
              value={encoding}
              options={optionsIn(t.locale)}
              onChoose={(name) => setChosen(ENCODINGS.find(([each]) => each === name)?.[0] ?? null)}
            />
          </>
        )}
        {file.size <= TEXT_PREVIEW_BYTES && <CopyText text={text ?? ""} />}
      </div>
      {/* The text is focusable so that the keyboard can scroll it. */}
      <pre
        tabIndex={0}
        className={clsx(
          "max-h-[60vh] overflow-auto rounded-2xl bg-sunken p-4 break-words whitespace-pre-wrap",
          isWritten && isProse(file.mimeType) ? "font-sans" : "text-[0.8125rem]",
        )}
      >
        {isWritten ? <Linked text={text ?? ""} /> : text}
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

/** A text whose web addresses are links. Nothing is asked of these addresses before somebody opens one. */
function Linked({ text }: { text: string }) {
  const pieces = useMemo(() => splitAtLinks(text), [text]);
  return pieces.map(({ text: piece, url }, index) =>
    url === undefined ? (
      piece
    ) : (
      <a key={index} href={url} target="_blank" rel="noopener noreferrer nofollow" className="text-reed underline">
        {piece}
      </a>
    ),
  );
}

/** The button that copies the whole text. */
function CopyText({ text }: { text: string }) {
  const t = useMessages("download");
  const [state, setState] = useState<"ready" | "copied" | "failed">("ready");
  const copy = async () => setState((await copyText(text)) ? "copied" : "failed");
  return (
    <div className="ms-auto flex items-center gap-3">
      <span role="status" className="text-muted">
        {state === "failed" && t("textNotCopied")}
        {state === "copied" && <span className="sr-only">{t("textCopied")}</span>}
      </span>
      <Button icon={state === "copied" ? Check : Copy} look="quiet" onClick={() => void copy()}>
        {t(state === "copied" ? "textCopied" : "copyText")}
      </Button>
    </div>
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
