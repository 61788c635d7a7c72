import { Readable } from "node:stream";
import busboy from "busboy";
import { AppError } from "#domain/errors.ts";
import { KIB } from "#domain/units.ts";

export interface FormFile {
  /** "" if the form names none. */
  filename: string;
  contentType: string;
  stream: AsyncIterable<Uint8Array>;
}

const FIELD_MAX_BYTES = 4 * KIB;

/** RFC 2045, section 6.2: the bytes themselves. */
const PLAIN_ENCODINGS = new Set(["7bit", "8bit", "binary"]);

/** What a form writes in a file's name instead of the characters that end it (HTML, "multipart/form-data encoding"). */
const ESCAPED: Record<string, string> = { "%0A": "\n", "%0D": "\r", "%22": '"' };

/**
 * Fields may come before or after the files. @param onFile reads a file's stream; the rest of the form waits for it
 * @throws AppError BAD_REQUEST for a form that breaks off or has too many files; UNSUPPORTED_MEDIA_TYPE for no form
 */
export async function readForm(
  headers: Headers,
  body: AsyncIterable<Uint8Array>,
  onFile: (file: FormFile) => Promise<void>,
  maxFiles = 1,
): Promise<Map<string, string>> {
  const fields = new Map<string, string>();
  const handlers: Promise<void>[] = [];
  const parser = openParser(headers.get("content-type") ?? "", maxFiles);
  const source = Readable.from(body);

  const parsed = new Promise<void>((resolve, reject) => {
    let openFile: Readable | null = null;
    const fail = (error: unknown) => {
      const reason =
        error instanceof AppError ? error : new AppError("BAD_REQUEST", { message: "The form is broken off." });
      source.unpipe(parser);
      source.destroy();
      openFile?.destroy(reason);
      reject(reason);
    };
    parser.on("field", (name, value) => fields.set(name, value));
    parser.on("file", (_name, stream, { filename, encoding, mimeType }) => {
      openFile = stream;
      stream.on("error", fail);
      if (!PLAIN_ENCODINGS.has(encoding.toLowerCase())) {
        const message = "Content-Transfer-Encoding is not decoded here. Send the bytes of the file without it.";
        fail(new AppError("UNSUPPORTED_MEDIA_TYPE", { message }));
        return;
      }
      const handling = onFile({ filename: unescapeName(filename), contentType: mimeType, stream });
      handling.catch(fail);
      handlers.push(handling);
    });
    parser.on("filesLimit", () => {
      const message = maxFiles === 1 ? "Send one file at a time." : `Send at most ${maxFiles} files at a time.`;
      fail(new AppError("BAD_REQUEST", { message }));
    });
    parser.on("error", fail);
    parser.on("close", resolve);
    source.on("error", fail);
    source.pipe(parser);
  });
  try {
    await parsed;
    await Promise.all(handlers);
  } catch (error) {
    const ended = await Promise.allSettled(handlers);
    // Whoever refuses a file ends its stream, which the parser takes for a form that breaks off.
    const refused = ended.find((result) => result.status === "rejected" && result.reason instanceof AppError);
    throw refused?.status === "rejected" ? refused.reason : error;
  }
  return fields;
}

/** busboy gives undefined for a file without a name, against its types. */
function unescapeName(filename: string | undefined): string {
  return (filename ?? "").replace(/%(?:0A|0D|22)/g, (escape) => ESCAPED[escape] ?? escape);
}

function openParser(contentType: string, maxFiles: number): busboy.Busboy {
  try {
    return busboy({
      headers: { "content-type": contentType },
      defParamCharset: "utf8",
      limits: { files: maxFiles, fields: 10, fieldSize: FIELD_MAX_BYTES },
    });
  } catch {
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", { message: "Send this request as multipart/form-data." });
  }
}
