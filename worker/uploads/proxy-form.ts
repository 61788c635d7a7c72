import { Readable } from "node:stream";
import busboy from "busboy";
import { AppError } from "#domain/errors.ts";
import { KIB } from "#domain/units.ts";

export interface FormFile {
  /** As the form named it; "" where it did not. */
  filename: string;
  contentType: string;
  stream: AsyncIterable<Uint8Array>;
}

/** A text field holds at most this much: none of ours is longer. */
const FIELD_MAX_BYTES = 4 * KIB;

/**
 * Reads a multipart form whose one file streams, whatever the order of its fields.
 * @param onFile takes the file as it comes; the form goes on once it has resolved
 * @returns the text fields, once the file has been taken
 * @throws AppError BAD_REQUEST for a form that is broken or has several files
 */
export async function readForm(
  headers: Headers,
  body: AsyncIterable<Uint8Array>,
  onFile: (file: FormFile) => Promise<void>,
): Promise<Map<string, string>> {
  const fields = new Map<string, string>();
  const handled: Promise<void>[] = [];
  const parser = openParser(headers.get("content-type") ?? "");
  const source = Readable.from(body);

  const parsed = new Promise<void>((resolve, reject) => {
    let open: Readable | null = null;
    const fail = (error: unknown) => {
      const reason =
        error instanceof AppError ? error : new AppError("BAD_REQUEST", { message: "The form is broken off." });
      source.unpipe(parser);
      source.destroy();
      // Whoever reads the file learns that its end will not come.
      open?.destroy(reason);
      reject(reason);
    };
    parser.on("field", (name, value) => fields.set(name, value));
    parser.on("file", (_name, stream, { filename, mimeType }) => {
      open = stream;
      // An error of the file's own stream is also the parser's.
      stream.on("error", fail);
      const taken = onFile({ filename, contentType: mimeType, stream });
      taken.catch(fail);
      handled.push(taken);
    });
    parser.on("filesLimit", () => {
      fail(new AppError("BAD_REQUEST", { message: "Send one file at a time." }));
    });
    parser.on("error", fail);
    parser.on("close", resolve);
    source.on("error", fail);
    source.pipe(parser);
  });
  try {
    await parsed;
    await Promise.all(handled);
  } catch (error) {
    await Promise.allSettled(handled);
    throw error;
  }
  return fields;
}

function openParser(contentType: string): busboy.Busboy {
  try {
    return busboy({
      headers: { "content-type": contentType },
      defParamCharset: "utf8",
      limits: { files: 1, fields: 10, fieldSize: FIELD_MAX_BYTES },
    });
  } catch {
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", { message: "Send this request as multipart/form-data." });
  }
}
