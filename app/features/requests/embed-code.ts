import { TUS_CONTENT_TYPE, TUS_REQUEST_BYTES } from "#domain/tus.ts";
import type { ListedUploadRequest } from "#domain/wire.ts";

type EmbeddedRequest = Pick<ListedUploadRequest, "link" | "kinds" | "asksName" | "asksEmail" | "hasPassword">;

/** Texts of the embedded form. No text has characters that need escaping in HTML or JavaScript. */
export interface EmbedWords {
  senderName: string;
  senderEmail: string;
  password: string;
  files: string;
  send: string;
  arrived: string;
}

/** Values of the fields in the example for the shell. */
const SAID = { senderName: "Ann", senderEmail: "ann@example.com", password: "the password" } as const;

/** Code with which somebody's own website or terminal sends files into a request. */
export function embedCode(request: EmbeddedRequest, words: EmbedWords) {
  const { origin, pathname } = new URL(request.link);
  const token = pathname.slice(pathname.lastIndexOf("/") + 1);
  const { kinds, asksName, asksEmail, hasPassword } = request;
  const fields = [
    asksName && (["senderName", ""] as const),
    asksEmail && (["senderEmail", ' type="email"'] as const),
    hasPassword && (["password", ' type="password"'] as const),
  ].filter((field) => field !== false);
  const accept = kinds === null ? "" : ` accept="${kinds.map((kind) => `.${kind}`).join(",")}"`;
  const lines = fields.map(
    ([name, type]) => `\n  <label>${words[name]} <input name="${name}"${type} required></label>`,
  );
  const encoded = (text: string) => `$(printf %s "${text}" | base64 | tr -d '\\n')`;
  const metadata = [
    `filename ${encoded('$(basename "$FILE")')}`,
    ...fields.map(([name]) => `${name} ${encoded(SAID[name])}`),
  ];
  return {
    form: `<form id="send-files">${lines.join("")}
  <label>${words.files} <input name="files" type="file" multiple${accept} required></label>
  <button>${words.send}</button>
  <output></output>
</form>`,

    install: "npm install @uppy/core @uppy/tus",

    script: `import Uppy from "@uppy/core";
import Tus from "@uppy/tus";

const uppy = new Uppy().use(Tus, {
  endpoint: "${origin}/api/v1/tus",
  headers: { Authorization: "Bearer ${token}" },
  chunkSize: ${TUS_REQUEST_BYTES},
  limit: 5,
  retryDelays: [0, 1000, 5000, 15000, 60000],
  removeFingerprintOnSuccess: true,
});

const arrived = "${words.arrived}";
let sending = false;
let reasons = [];
uppy.on("upload-error", (file, error) => {
  const answer = error.originalResponse?.getBody();
  reasons.push(\`\${file.name}: \${answer ? JSON.parse(answer).message : error.message}\`);
});

const form = document.querySelector("#send-files");
const told = form.querySelector("output");
uppy.on("progress", (percent) => {
  // The last progress event may come after the end of the upload.
  if (sending) told.textContent = \`\${percent} %\`;
});
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (sending) return;
  const { files, ...said } = Object.fromEntries(new FormData(form));
  reasons = [];
  uppy.clear();
  uppy.setMeta(said);
  for (const file of form.elements.files.files) {
    uppy.addFile({ name: file.name, type: file.type, data: file });
  }
  sending = true;
  const { failed } = await uppy.upload();
  sending = false;
  told.textContent = failed.length === 0 ? arrived : reasons.join(" ");
});`,

    shell: `FILE=photo.jpg
curl -sSi -X POST -T "$FILE" ${origin}/api/v1/tus \\
  -H "Authorization: Bearer ${token}" \\
  -H "Tus-Resumable: 1.0.0" \\
  -H "Content-Type: ${TUS_CONTENT_TYPE}" \\
  -H "Upload-Length: $(wc -c < "$FILE" | tr -d ' ')" \\
  -H "Upload-Metadata: ${metadata.join(",")}"`,
  };
}
