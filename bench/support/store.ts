import { AwsClient } from "aws4fetch";
import { partRange, planParts } from "#domain/parts.ts";
import { discard, put } from "./http.ts";

/** The number of parts that are sent in parallel, as many as the product's engine sends. */
export const PARTS_IN_FLIGHT = 4;

export interface PartUrl {
  url: string;
  start: number;
  end: number;
}

/** The local store over S3, without the product: the floor of comparisons. */
export class Store {
  readonly #bucket: string;
  /** The client has the keys of wrangler.toml, for the local store only, and does not retry: an error is a result. */
  readonly #client = new AwsClient({
    accessKeyId: "mayfly-local",
    secretAccessKey: "mayfly-local-secret",
    service: "s3",
    region: "auto",
    retries: 0,
  });

  constructor(origin: string) {
    this.#bucket = `${origin}/cdn-cgi/local/r2/s3/mayfly`;
  }

  /** Uploads bytes in parts as the product would. */
  async upload(key: string, bytes: Uint8Array): Promise<void> {
    const uploadId = await this.create(key);
    const parts = await this.partUrls(key, uploadId, bytes.byteLength);
    const etags: string[] = [];
    const waiting = parts.entries();
    const worker = async () => {
      for (const [index, { url, start, end }] of waiting) etags[index] = await put(url, bytes.subarray(start, end));
    };
    await Promise.all(Array.from({ length: PARTS_IN_FLIGHT }, worker));
    await this.complete(key, uploadId, etags);
  }

  async create(key: string): Promise<string> {
    const answer = await (await this.#call("POST", `${key}?uploads`)).text();
    const uploadId = /<UploadId>(.+?)<\/UploadId>/.exec(answer)?.[1];
    if (!uploadId) throw new Error(`the store opened no upload: ${answer}`);
    return encodeURIComponent(uploadId);
  }

  /** Completes the upload. @param etags in the order of the parts */
  async complete(key: string, uploadId: string, etags: string[]): Promise<void> {
    const parts = etags.map((etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`);
    const body = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
    await (await this.#call("POST", `${key}?uploadId=${uploadId}`, body)).text();
  }

  async partUrls(key: string, uploadId: string, sizeBytes: number): Promise<PartUrl[]> {
    const { partCount } = planParts(sizeBytes);
    return Promise.all(
      Array.from({ length: partCount }, async (_, index) => {
        const url = await this.#presign("PUT", `${key}?partNumber=${index + 1}&uploadId=${uploadId}`);
        return { url, ...partRange(sizeBytes, index + 1) };
      }),
    );
  }

  putUrl(key: string): Promise<string> {
    return this.#presign("PUT", key);
  }

  getUrl(key: string): Promise<string> {
    return this.#presign("GET", key);
  }

  async download(key: string): Promise<number> {
    return discard(await this.getUrl(key));
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    await put(await this.#presign("PUT", key), bytes);
  }

  async has(key: string): Promise<boolean> {
    const response = await this.#client.fetch(`${this.#bucket}/${key}`, { method: "HEAD" });
    if (response.status !== 200 && response.status !== 404) throw new Error(`the store answered ${response.status}`);
    return response.ok;
  }

  /** @returns every key */
  async list(): Promise<string[]> {
    const keys: string[] = [];
    for (let after: string | null = ""; after !== null;) {
      const response: Response = await this.#call("GET", `?list-type=2&start-after=${encodeURIComponent(after)}`);
      const answer = await response.text();
      const page = Array.from(answer.matchAll(/<Key>(.+?)<\/Key>/g), ([, key = ""]) => key);
      keys.push(...page);
      after = answer.includes("<IsTruncated>true</IsTruncated>") ? (page.at(-1) ?? null) : null;
    }
    return keys;
  }

  async delete(key: string): Promise<void> {
    await this.#call("DELETE", key);
  }

  async #presign(method: string, path: string): Promise<string> {
    return (await this.#client.sign(`${this.#bucket}/${path}`, { method, aws: { signQuery: true } })).url;
  }

  async #call(method: string, path: string, body?: string): Promise<Response> {
    const response = await this.#client.fetch(`${this.#bucket}/${path}`, { method, body });
    if (!response.ok) throw new Error(`the store answered ${method} with ${response.status}: ${await response.text()}`);
    return response;
  }
}
