import { DEFAULT_EXPIRATION } from "#domain/expiry.ts";
import { HEADER_NAMES } from "#domain/header-names.ts";
import { isWantedKind } from "#domain/requests/limits.ts";
import { formatBytes } from "#domain/units.ts";
import type {
  SeenUploadRequest,
  FinishTransferAnswer,
  ListedEntries,
  ReadUploadRequestAnswer,
  SenderFields,
  StartSendingAnswer,
  TransferBatchAnswer,
  UnlockUploadRequestAnswer,
} from "#domain/wire.ts";
import { parseObject } from "#engine/api-error.ts";
import type { Calls } from "#engine/calls.ts";
import type { TransferPorts } from "#engine/ports.ts";
import { listEntries } from "#engine/transfer/transfer-api.ts";
import { prepareList, type ChosenItem } from "#engine/transfer/transfer-list.ts";
import { askPassword, readPassword } from "../../opener/password.ts";
import { describeError, EXIT, Failure } from "../failure.ts";
import { requireRequestUrl } from "../links.ts";
import { usage, type OptionsOf } from "../options.ts";
import { putWith, programPorts } from "../ports.ts";
import { openSessionWith, type Session } from "../session.ts";
import { canAsk, Terminal, writeResult } from "../terminal.ts";
import { collect } from "./collect.ts";
import { sendTransfer } from "./send-transfer.ts";
import { Unfinished, keptLinks } from "./unfinished.ts";

type Values = OptionsOf<"send">["values"];

/** Options that only the owner of a link may set. */
const OF_OWNERS = ["expires", "until", "downloads", "encrypt", "to", "message"] as const;

/** The result on standard output. A sender into a request gets no link. */
interface Receipt {
  title: string;
  arrivedAt: string;
  /** Bytes of all files. */
  size: number;
  /** The arrived files. An empty folder's name ends in a slash. */
  files: { name: string; size: number; sha256?: string | undefined }[];
}

/** Sends files through an upload request, without an API key. @throws the errors that `describeError` describes */
export async function sendToRequest({ values, positionals: paths }: OptionsOf<"send">): Promise<void> {
  const link = requireRequestUrl(values["to-request"] ?? "");
  checkUse(values, paths);
  const terminal = new Terminal(values.quiet ?? false);
  try {
    const { items } = await collect(paths, terminal);
    if (items.length === 0) throw usage("There is nothing to send.");
    const { name: senderName, email: senderEmail, note, fresh = false } = values;
    const session = openSessionWith(link.origin, null, terminal);
    const kept = new Unfinished(`${link.token} sender`, paths);
    const sender = new RequestSender(session, link.token, { senderName, senderEmail, note }, kept);
    if (!fresh) await sender.goOn();
    const request = await sender.open(() => readRequestPassword(values));
    checkAsked(request, values);
    checkItems(request, items);
    const ports = sender.ports((text) => terminal.note(text));
    const unfinished = new Unfinished(link.token, paths);
    const options = { expiration: DEFAULT_EXPIRATION, expirationChosen: false };
    const sending = { ports, options, terminal, unfinished, fresh, title: "", message: "" };
    const { size } = await sendTransfer(items, sending);
    const arrivedAt = new Date().toISOString();
    const files = await listArrived(ports, sender.downloadId);
    const receipt = { title: request.title, arrivedAt, size, files };
    terminal.clear();
    writeResult(values, receipt, describe);
  } finally {
    terminal.clear();
  }
}

function checkUse(values: Values, paths: readonly string[]): void {
  if (values.text !== undefined) throw usage("--text does not go with --to-request: write it to a file first.");
  if (paths.length === 0) throw usage("Give files or folders to send.");
  if (paths.includes("-")) throw usage("Standard input is not sent into a request: write it to a file first.");
  if (values.password !== undefined && values["password-stdin"]) throw usage("Give one password.");
  const decided = OF_OWNERS.find((option) => values[option] !== undefined);
  if (decided !== undefined) throw usage(`Whoever made the request decides about --${decided}.`);
}

async function readRequestPassword(values: Values): Promise<string> {
  if (values.password !== undefined) return values.password;
  if (values["password-stdin"]) return readPassword();
  if (canAsk()) return askPassword();
  throw new Failure(EXIT.refused, "This request needs a password: use a terminal, --password or --password-stdin.");
}

/** @throws Failure `usage` when a name or an email address that the request asks for is missing */
function checkAsked({ asksName, asksEmail }: SeenUploadRequest, { name = "", email = "" }: Values): void {
  if (asksName && name.trim() === "") throw usage("This request asks for your name: give it with --name.");
  if (asksEmail && email.trim() === "") throw usage("This request asks for your email address: give it with --email.");
}

/** Names the first file that the request refuses, before any upload. The server checks, too. @throws Failure `limit` */
function checkItems({ kinds, mostFileBytes }: SeenUploadRequest, items: readonly ChosenItem[]): void {
  for (const { path, file } of prepareList(items).entries) {
    if (file === null) continue;
    if (kinds && !isWantedKind(path, kinds)) {
      throw new Failure(EXIT.limit, `This request takes ${kinds.join(", ")} only, not "${path}".`);
    }
    if (file.size > mostFileBytes) {
      throw new Failure(
        EXIT.limit,
        `"${path}" is too large: this request takes files of ${formatBytes(mostFileBytes)}.`,
      );
    }
  }
}

/** @throws Failure whose message says that all files arrived, so that the person does not send them twice */
async function listArrived(ports: TransferPorts, downloadId: string): Promise<Receipt["files"]> {
  try {
    const listed = await listEntries(ports, downloadId, new AbortController().signal);
    const arrived = listed.filter(({ state }) => state !== "removed");
    return arrived.map(({ path: name, size, sha256 }) => ({ name, size, sha256 }));
  } catch (error) {
    const { exitCode, message } = describeError(error);
    throw new Failure(exitCode, `Everything has arrived, so do not send it again. The receipt failed: ${message}`);
  }
}

/** Formats the receipt as input for `sha256sum --check`. Lines with other facts are comments to sha256sum. */
function describe({ title, arrivedAt, size, files }: Receipt): string[] {
  const lines = files.flatMap(({ name, size: bytes, sha256 }) => {
    if (name.endsWith("/")) return [`# ${name}`];
    return sha256 === undefined
      ? [`# ${formatBytes(bytes)}  ${name}`]
      : [`# ${formatBytes(bytes)}`, `${sha256}  ${name}`];
  });
  const count = files.length === 1 ? "1 file" : `${files.length} files`;
  const head = `# ${title}: ${count}, ${formatBytes(size)}, arrived ${arrivedAt}`;
  return [head, ...lines];
}

/** The sender's own details. */
type Fields = { [Name in keyof SenderFields]: SenderFields[Name] | undefined };

/** The engine expects a link, but a sender into a request gets none. */
const NO_LINK = "";

/**
 * A sender into a request, who uses the calls of the request's page, as v1 needs an API key. The server gives an upload
 * token for each transfer, which all calls after the start carry.
 */
class RequestSender {
  readonly #session: Session;
  readonly #token: string;
  readonly #fields: Fields;
  readonly #kept: Unfinished;
  /** The headers of the calls after the start. */
  readonly #headers: Record<string, string> = {};
  /** The header with the grant for the request's password. */
  #grant: Record<string, string> = {};
  /** The id of the transfer. Empty before the start. */
  downloadId = "";

  /** @param token of the request @param kept holds the upload token until everything has arrived */
  constructor(session: Session, token: string, fields: Fields, kept: Unfinished) {
    this.#session = session;
    this.#token = token;
    this.#fields = fields;
    this.#kept = kept;
  }

  /** @param givePassword called when the request needs a password @throws ApiError, TypeError, Failure */
  async open(givePassword: () => Promise<string>): Promise<SeenUploadRequest> {
    const path = `/requests/by-link/${this.#token}`;
    const request = await this.#call<ReadUploadRequestAnswer>("GET", path);
    if (!request.needsPassword) return request;
    const body = { password: await givePassword() };
    const unlocked = await this.#call<UnlockUploadRequestAnswer>("POST", `${path}/unlock`, { body });
    this.#grant = { authorization: `Bearer ${unlocked.grant}` };
    return unlocked.request;
  }

  /** Resumes the unfinished transfer of the same paths, if there is one. */
  async goOn(): Promise<void> {
    const uploadToken = await this.#kept.read();
    if (uploadToken !== null) this.#headers[HEADER_NAMES.uploadToken] = uploadToken;
  }

  /** The engine's ports. There is no socket, because nobody else watches the transfer. */
  ports(warn: (text: string) => void): TransferPorts {
    const { v1, connection } = this.#session;
    const ports = programPorts({ v1, line: connection, keyId: "", links: keptLinks(), fresh: false, warn });
    const put = putWith(this.#headers, () => connection.fail());
    return { ...ports, calls: { ...ports.calls, ...this.#calls() }, live: null, put };
  }

  #calls(): Partial<Calls> {
    const headers = this.#headers;
    return {
      // The health call shows whether the server is unreachable too, or storage alone.
      fixCors: (signal) => this.#call("GET", "/health", { signal }),
      startTransfer: async (request) => {
        // Only the owner of the request decides about expiry, protection and sealing.
        const { expiration: _kept, expirationChosen: _chosen, guards: _guards, seal: _seal, ...start } = request;
        const answer = await this.#call<StartSendingAnswer>("POST", `/requests/by-link/${this.#token}/transfers`, {
          body: { ...start, ...this.#fields },
          headers: { ...headers, ...this.#grant },
        });
        // The token is kept before any byte is sent, because the transfer cannot be resumed without it.
        await this.#kept.keep(answer.uploadToken);
        headers[HEADER_NAMES.uploadToken] = answer.uploadToken;
        this.downloadId = answer.downloadId;
        return { ...answer, shareUrl: NO_LINK, expiresAt: null };
      },
      sendBatch: (id, body, signal) =>
        this.#call<TransferBatchAnswer>("POST", `/transfers/${id}/batch`, { body, headers, signal }),
      finishTransfer: async (id, body, signal) => {
        const options = { body, headers, signal };
        const answer = await this.#call<FinishTransferAnswer>("POST", `/transfers/${id}/finish`, options);
        await this.#kept.forget();
        return { ...answer, shareUrl: NO_LINK };
      },
      listEntries: (id, from, signal) =>
        this.#call<ListedEntries>("GET", `/files/download/${id}/entries?from=${from}`, { headers, signal }),
      cancelUpload: (downloadId, summary) =>
        this.#call("POST", "/direct-upload/cancel", { body: { downloadId, summary }, headers }),
      noteFailure: (downloadId, summary) =>
        this.#call("POST", "/direct-upload/failed", { body: { downloadId, summary }, headers }),
      objectPartAddress: (id, object, part) =>
        `${this.#session.v1.origin}/api/transfers/${id}/objects/${object}/${part}`,
    };
  }

  /** @throws ApiError; TypeError when the server does not answer; Failure for an answer that is no JSON */
  async #call<Answer>(
    method: string,
    path: string,
    { body, headers, signal }: { body?: object; headers?: Record<string, string>; signal?: AbortSignal } = {},
  ): Promise<Answer> {
    const { v1 } = this.#session;
    const { text } = await v1.ask(`${v1.origin}/api${path}`, {
      method,
      headers: { ...headers, ...(body && { "content-type": "application/json" }) },
      body: body && JSON.stringify(body),
      signal,
    });
    const answer = parseObject(text);
    if (answer === null) throw v1.stranger();
    // The engine checks the fields of the answer that it uses.
    return answer as Answer;
  }
}
