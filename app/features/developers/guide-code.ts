import { HEADER_NAMES } from "#domain/header-names.ts";
import { TUS_REQUEST_BYTES } from "#domain/tus.ts";

/** The examples of the page for developers. @param origin of the site */
export function guideCode(origin: string) {
  return {
    key: `export MAYFLY_URL=${origin}
export MAYFLY_KEY=mayfly_…`,

    curl: `curl -u ":$MAYFLY_KEY" -T report.pdf "$MAYFLY_URL/"`,

    choices: `curl -u ":$MAYFLY_KEY" -T report.pdf \\
  -H "${HEADER_NAMES.expires}: 1d" -H "${HEADER_NAMES.password}: a long one" -H "${HEADER_NAMES.downloads}: 3" \\
  "$MAYFLY_URL/"`,

    pipe: `pg_dump shop | gzip | curl -u ":$MAYFLY_KEY" -T - "$MAYFLY_URL/shop.sql.gz"`,

    large: `curl -fsSO "$MAYFLY_URL/send.sh"
sh send.sh film.mov`,

    install: `npm install --global "$MAYFLY_URL/cli"`,

    send: `mayfly send ./photos --expires 7d
mayfly get "$MAYFLY_URL/download/…"`,

    script: `LINK=$(mayfly send backup.tar.gz)
echo "Backup: $LINK"`,

    ask: `LINK=$(mayfly request --title "Photos" --kinds jpg,png --expires 7d)
mayfly send --to-request "$LINK" ./photos`,

    tus: `import { createReadStream } from "node:fs";
import { Upload } from "tus-js-client";

const upload = new Upload(createReadStream("film.mov"), {
  endpoint: "${origin}/api/v1/tus",
  headers: { Authorization: \`Bearer \${process.env.MAYFLY_KEY}\` },
  chunkSize: ${TUS_REQUEST_BYTES},
  metadata: { filename: "film.mov", filetype: "video/quicktime", expires: "1d" },
  retryDelays: [0, 1000, 5000, 15000, 60000],
  onShouldRetry: (error) => {
    const status = error.originalResponse?.getStatus() ?? 0;
    return status === 0 || status === 409 || status === 429 || status >= 500;
  },
  onError: (error) => console.error(error.message),
  onSuccess: ({ lastResponse }) => console.log(lastResponse.getHeader("${HEADER_NAMES.link}")),
});
upload.start();`,

    uppy: `import Uppy from "@uppy/core";
import Tus from "@uppy/tus";

export const uppy = new Uppy({ meta: { transfer: crypto.randomUUID() } }).use(Tus, {
  endpoint: "${origin}/api/v1/tus",
  headers: { Authorization: "Bearer mayfly_…" },
  chunkSize: 16_777_216,
  retryDelays: [0, 1000, 5000, 15000, 60000],
});
uppy.on("upload-success", (file, { body }) => {
  console.log(file.name, body.xhr.getResponseHeader("${HEADER_NAMES.link}"));
});`,

    calls: `const call = async (path, body) => {
  const response = await fetch(\`\${process.env.MAYFLY_URL}/api/v1\${path}\`, {
    method: "POST",
    headers: {
      Authorization: \`Bearer \${process.env.MAYFLY_KEY}\`,
      "Content-Type": "application/json",
    },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.message);
  return answer;
};

const bytes = new TextEncoder().encode("hello");
const { id, link, upload } = await call("/uploads", { name: "hello.txt", size: bytes.length });
for (const { part, url } of upload.urls) {
  const start = (part - 1) * upload.partSize;
  const body = bytes.slice(start, start + upload.partSize);
  await fetch(url, { method: "PUT", headers: upload.headers, body });
}
await call(\`/uploads/\${id}/complete\`, {});
console.log(link);`,

    event: `{
  "type": "transfer.downloaded",
  "timestamp": "2026-11-23T12:00:00.000Z",
  "data": {
    "id": "7b1e6a2c-4c59-4a0d-9f7e-1f2d3c4b5a69",
    "downloadId": "Lr2YwAq3Zc8vV1sTn0bKx5",
    "link": "${origin}/download/Lr2YwAq3Zc8vV1sTn0bKx5",
    "name": "report.pdf",
    "size": 48213,
    "entries": null,
    "count": 1
  }
}`,

    verify: `import { createHmac, timingSafeEqual } from "node:crypto";

/** @param body the request's bytes as text @param headers with names in lower case */
export function isGenuine(secret, headers, body) {
  const id = headers["webhook-id"];
  const timestamp = headers["webhook-timestamp"];
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false;
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const expected = createHmac("sha256", key).update(\`\${id}.\${timestamp}.\${body}\`).digest();
  return headers["webhook-signature"].split(" ").some((signature) => {
    const [version, value = ""] = signature.split(",");
    const given = Buffer.from(value, "base64");
    return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
  });
}`,
  };
}
