/** What a page noted of one transfer. Moments are milliseconds since the Unix epoch. */
export interface Seen {
  chosenAt: number;
  readyAt: number;
  /** Each change of the shown progress: its moment, and a number that must not fall. */
  progress: [number, number][];
  /** How often the person had to start the transfer again. */
  restarts: number;
}

export interface PageSettings {
  putUrl: string;
  tusEndpoint: string;
  fileBytes: number;
}

/** How often a person tries again. */
const MAX_RESTARTS = 5;

interface Tracker {
  file: File;
  seen: Seen;
  show(value: number): void;
}

/** The functions below run as text in a bare page that holds a file, so they use nothing of this module. */
export const TRACKER = `
globalThis.track = () => {
  const file = document.querySelector("input").files[0];
  const seen = { chosenAt: Date.now(), readyAt: 0, progress: [], restarts: 0 };
  return { file, seen, show: (value) => seen.progress.push([Date.now(), value]) };
};
globalThis.MAX_RESTARTS = ${MAX_RESTARTS};
`;

declare const track: () => Tracker;
declare const tus: {
  Upload: new (file: File, options: Record<string, unknown>) => { start(): void };
};
declare const uppyPage: {
  Uppy: new (options?: Record<string, unknown>) => {
    use(plugin: unknown, options: Record<string, unknown>): void;
    addFile(file: { name: string; data: File; type: string }): void;
    on(name: string, handler: (...args: never[]) => void): void;
    upload(): Promise<{ failed?: unknown[] } | undefined>;
    retryAll(): Promise<{ failed?: unknown[] } | undefined>;
  };
  AwsS3: unknown;
};

/** Sends one PUT with XMLHttpRequest, and sends it again from its beginning when it breaks. */
export async function plainPut({ putUrl }: PageSettings): Promise<Seen> {
  const { file, seen, show } = track();
  const put = () =>
    new Promise<boolean>((resolve) => {
      const xhr = new XMLHttpRequest();
      xhr.open("PUT", putUrl);
      xhr.setRequestHeader("content-type", "application/octet-stream");
      xhr.upload.onprogress = ({ loaded }) => {
        show(loaded);
      };
      xhr.onload = () => {
        resolve(xhr.status === 200);
      };
      xhr.onerror = () => {
        resolve(false);
      };
      xhr.send(file);
    });
  while (!(await put())) {
    seen.restarts += 1;
    if (seen.restarts > MAX_RESTARTS) throw new Error("gave up");
  }
  seen.readyAt = Date.now();
  return seen;
}

/** Uploads with tus-js-client and its defaults. */
export async function withTus({ tusEndpoint }: PageSettings): Promise<Seen> {
  const { file, seen, show } = track();
  await new Promise<void>((resolve, reject) => {
    new tus.Upload(file, {
      endpoint: tusEndpoint,
      onProgress: show,
      onSuccess: () => {
        resolve();
      },
      onError: reject,
    }).start();
  });
  seen.readyAt = Date.now();
  return seen;
}

/** Uploads with Uppy's plugin and its defaults, by the product's calls: the same start, signed parts and completion. */
export async function withUppy({ fileBytes }: PageSettings): Promise<Seen> {
  const { file, seen, show } = track();
  const post = async (path: string, body: unknown) => {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    return answer.json<{ downloadId: string; uploadId: string; urls: { part: number; url: string }[] }>();
  };
  const urls = new Map<number, string>();
  const remember = (signed: { part: number; url: string }[]) => {
    for (const { part, url } of signed) urls.set(part, url);
  };
  const headers = { "content-type": "application/octet-stream" };
  // The part size that the product plans.
  const partBytes = (fileBytes < 1024 ** 3 ? 8 : 16) * 1024 ** 2;
  const partCount = Math.ceil(fileBytes / partBytes);
  let downloadId = "";
  let signing: Promise<void> | null = null;
  const uppy = new uppyPage.Uppy({ autoProceed: false });
  uppy.use(uppyPage.AwsS3, {
    shouldUseMultipart: true,
    getChunkSize: () => partBytes,
    createMultipartUpload: async () => {
      const started = await post("/api/direct-upload/presigned-url", {
        filename: `${crypto.randomUUID()}.bin`,
        fileType: "application/octet-stream",
        fileSize: file.size,
        expiration: "1d",
        expirationChosen: true,
      });
      ({ downloadId } = started);
      remember(started.urls);
      return { uploadId: started.uploadId, key: downloadId };
    },
    signPart: async (_file: unknown, { partNumber }: { partNumber: number }) => {
      while (!urls.has(partNumber)) {
        const parts = Array.from({ length: Math.min(100, partCount - partNumber + 1) }, (_, i) => partNumber + i);
        signing ??= post("/api/direct-upload/sign-parts", { downloadId, parts }).then((answer) => {
          remember(answer.urls);
          signing = null;
        });
        await signing;
      }
      return { url: urls.get(partNumber), headers };
    },
    listParts: () => [],
    abortMultipartUpload: () => undefined,
    completeMultipartUpload: async (_file: unknown, { parts }: { parts: { PartNumber: number; ETag: string }[] }) => {
      const receipts = parts.map(({ PartNumber, ETag }) => ({ part: PartNumber, etag: ETag }));
      while (receipts.length > 100) {
        await post("/api/direct-upload/sign-parts", { downloadId, parts: [], receipts: receipts.splice(0, 100) });
      }
      await post("/api/direct-upload/complete", { downloadId, receipts });
      return {};
    },
  });
  uppy.on("upload-progress", (_file: never, { bytesUploaded }: { bytesUploaded: number }) => {
    show(bytesUploaded);
  });
  uppy.addFile({ name: file.name, data: file, type: "application/octet-stream" });
  let result = await uppy.upload();
  while (result?.failed && result.failed.length > 0) {
    seen.restarts += 1;
    if (seen.restarts > MAX_RESTARTS) throw new Error("gave up");
    result = await uppy.retryAll();
  }
  seen.readyAt = Date.now();
  return seen;
}

/** Notes what the product's page shows of its progress, and when the person chose. */
export const WATCHER = `
globalThis.watched = { chosenAt: 0, progress: [] };
for (const type of ["change", "click"]) {
  addEventListener(type, () => { if (watched.progress.length === 0) watched.chosenAt = Date.now(); }, true);
}
let shown = "";
new MutationObserver(() => {
  const bar = document.querySelector("[role=progressbar]");
  if (!bar) return;
  const percent = Number(bar.getAttribute("aria-valuenow"));
  const text = percent + " " + (bar.parentElement.textContent ?? "");
  if (text === shown) return;
  shown = text;
  watched.progress.push([Date.now(), percent]);
}).observe(document, { childList: true, subtree: true, characterData: true, attributes: true });
`;
