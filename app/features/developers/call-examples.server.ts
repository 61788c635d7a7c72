import type { CallName } from "#domain/v1/calls.ts";
import { ANY_TYPE, type DescribedContent, type DescribedOperation } from "#domain/v1/description.ts";

/** A call with the values that examples use. */
export interface ExampleCall {
  method: string;
  /** Absolute, with the example's parameters. */
  url: string;
  operation: DescribedOperation;
}

const JSON_TYPE = "application/json";
const BYTES_TYPE = "application/octet-stream";
const FORM_TYPE = "multipart/form-data";

/** @returns lines for a shell that has the key in MAYFLY_KEY */
export function curlOf({ method, url, operation }: ExampleCall): string {
  const { sends, gets } = bodiesOf(operation);
  const options = [
    ...methodOption(method, sends.kind),
    ...(operation.security.length > 0 ? ['-H "Authorization: Bearer $MAYFLY_KEY"'] : []),
    ...headersOf(operation).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(sends.kind === "json" ? [`-d ${quote(JSON.stringify(sends.body))}`] : []),
    ...(sends.kind === "bytes" ? ["-T report.pdf"] : []),
    ...(sends.kind === "form" ? ["-F file=@report.pdf"] : []),
    ...(gets === "bytes" ? ["-o report.pdf"] : []),
  ];
  return [`curl "${gets === "socket" ? socketAddress(url) : url}"`, ...options].join(" \\\n  ");
}

/** The method option, left out where curl derives the method from the body. */
function methodOption(method: string, kind: SentKind): string[] {
  if (method === "HEAD") return ["-I"];
  const implied = { none: "GET", json: "POST", form: "POST", bytes: "PUT" }[kind];
  return method === implied ? [] : [`-X ${method}`];
}

/** @returns a module for Node.js that has the key in MAYFLY_KEY */
export function javascriptOf({ method, url, operation }: ExampleCall): string {
  const { sends, gets } = bodiesOf(operation);
  const headers = [
    ...(operation.security.length > 0 ? ["Authorization: `Bearer ${process.env.MAYFLY_KEY}`"] : []),
    ...headersOf(operation).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
  ];
  const shownHeaders = headers.length === 0 ? [] : [`headers: {\n    ${headers.join(",\n    ")},\n  },`];
  if (gets === "socket")
    return `const socket = new WebSocket("${socketAddress(url)}", {\n  ${shownHeaders.join("")}\n});`;
  const options = [
    ...(method === "GET" ? [] : [`method: "${method}",`]),
    ...shownHeaders,
    ...(sends.kind === "json" ? [`body: JSON.stringify(${indented(JSON.stringify(sends.body, null, 2))}),`] : []),
    ...(sends.kind === "bytes" ? ['body: await readFile("report.pdf"),'] : []),
    ...(sends.kind === "form" ? ["body: form,"] : []),
  ];
  const fetched = options.length === 0 ? `fetch("${url}")` : `fetch("${url}", {\n  ${options.join("\n  ")}\n})`;
  return [
    ...(sends.kind === "bytes" ? ['import { readFile } from "node:fs/promises";\n'] : []),
    ...(gets === "bytes" ? ['import { writeFile } from "node:fs/promises";\n'] : []),
    ...(sends.kind === "form"
      ? [
          'import { openAsBlob } from "node:fs";\n',
          'const form = new FormData();\nform.append("file", await openAsBlob("report.pdf"), "report.pdf");',
        ]
      : []),
    `const response = await ${fetched};`,
    "if (!response.ok) throw new Error((await response.json()).message);",
    ...(gets === "json" ? ["const answer = await response.json();"] : []),
    ...(gets === "text" ? ["const answer = await response.text();"] : []),
    ...(gets === "bytes" ? ['await writeFile("report.pdf", response.body);'] : []),
  ].join("\n");
}

/** Finds the answer of a call that succeeds, with its status. */
export function successOf(
  responses: DescribedOperation["responses"],
): [status: string, content: DescribedContent | undefined] {
  const [status = "", answer] = Object.entries(responses).find(([candidate]) => Number(candidate) < 400) ?? [];
  return [status, answer?.content];
}

type SentKind = "none" | "json" | "bytes" | "form";

/** The kinds of body that a call sends and gets back. */
function bodiesOf({ requestBody, responses }: DescribedOperation): {
  sends: { kind: SentKind; body: unknown; type: string | undefined };
  gets: "none" | "json" | "text" | "bytes" | "socket";
} {
  const [status, answer = {}] = successOf(responses);
  const [type] = requestBody?.required ? Object.keys(requestBody.content) : [];
  const kind = type === undefined ? "none" : type === JSON_TYPE ? "json" : type === FORM_TYPE ? "form" : "bytes";
  const body = requestBody?.content[JSON_TYPE]?.example;
  return { sends: { kind, body, type }, gets: status === "101" ? "socket" : answerKind(answer) };
}

/**
 * The kind of an answer. Text comes before JSON, because a call that can answer text sends JSON only to a client that
 * asks for JSON.
 */
function answerKind(answer: DescribedContent): "none" | "json" | "text" | "bytes" {
  if (answer["text/plain"]) return "text";
  if (answer[JSON_TYPE]) return "json";
  return answer[ANY_TYPE] ? "bytes" : "none";
}

type Header = [name: string, value: string];

/**
 * The headers besides the key. The content type of a form is left out, because the HTTP client adds it with the form's
 * boundary.
 */
function headersOf(operation: DescribedOperation): Header[] {
  const { type } = bodiesOf(operation).sends;
  const shown = operation.parameters
    .filter((parameter) => parameter.in === "header" && parameter.example !== undefined)
    .map(({ name, example }): Header => [name, String(example)]);
  return type === undefined || type === FORM_TYPE || type === BYTES_TYPE ? shown : [["Content-Type", type], ...shown];
}

/** Quotes for a POSIX shell. Only the single quote is special within single quotes. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function indented(text: string): string {
  return text.replaceAll("\n", "\n  ");
}

function socketAddress(url: string): string {
  return url.replace(/^http/, "ws");
}

const SIGN_IN = "mayfly login ADDRESS";
const SEND_FILE = "mayfly send report.pdf";
const SEND_FOLDER = "mayfly send ./photos";

const LINES: Partial<Record<CallName, string>> = {
  readMe: "mayfly whoami",
  startDevice: SIGN_IN,
  pollDevice: SIGN_IN,
  endKey: "mayfly logout",
  startUpload: `${SEND_FILE} --expires 1d`,
  cancelUpload: "mayfly rm ID",
  putManifest: `${SEND_FILE} --encrypt`,
  startTransfer: SEND_FOLDER,
  addFiles: SEND_FOLDER,
  sendObjectPart: SEND_FOLDER,
  completeTransfer: SEND_FOLDER,
  listTransfers: "mayfly ls",
  readTransfer: "mayfly info LINK",
  changeTransfer: 'mayfly edit LINK --name "Photos of the sea"',
  deleteTransfer: "mayfly rm LINK",
  mailTransfer: `${SEND_FILE} --to friend@example.com`,
  readDownloads: "mayfly info LINK",
  listRequests: "mayfly request list",
  createRequest: "mayfly request --title Photos --kinds jpg,png --expires 7d",
  changeRequest: "mayfly request close LINK",
  deleteRequest: "mayfly request rm LINK",
  listReceived: "mayfly request received",
  readLink: "mayfly get LINK --list",
  listLinkFiles: "mayfly get LINK --list",
  readLinkFile: "mayfly get LINK --file 0",
  unlockLink: "mayfly get LINK --password-stdin < password.txt",
  takeDownload: "mayfly get LINK",
};

/** @param operation name of a call @returns the command that makes the call; by default, the one that sends a file */
export function cliLineOf(operation: string): string {
  return (LINES as Record<string, string | undefined>)[operation] ?? SEND_FILE;
}
