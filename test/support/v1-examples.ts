import { env } from "cloudflare:workers";
import type { V1Call } from "#domain/v1/call.ts";
import { DESCRIBED_CALLS, V1_CALLS } from "#domain/v1/calls.ts";
import { sealedSize } from "#domain/seal/sizes.ts";
import type { ListedUploadRequest } from "#domain/wire.ts";
import { SigningIn } from "./device.ts";
import { manifestOf, newSeal, sealAtStart } from "./sealed-uploads.ts";
import { Sender as RequestSender } from "./requests.ts";
import { crc32Hex, textFile } from "./transfers.ts";
import { startTus } from "./tus.ts";
import { Program } from "./v1.ts";
import { Client, putIncoming, sendFile } from "./worker.ts";

export type DescribedName = keyof typeof DESCRIBED_CALLS;

interface Sender {
  person: Client;
  /** With a key of the person. */
  program: Program;
}

/** What takes the place of an example's ids, and what its call sends besides. */
interface Prepared {
  params?: Record<string, string>;
  headers?: Record<string, string>;
  /** Fields of the JSON body. */
  json?: Record<string, string>;
  /** Of a call that sends no JSON. */
  body?: BodyInit;
}

type Prepare = (sender: Sender) => Promise<Prepared>;

const HELLO = new TextEncoder().encode("hello");

const nothing: Prepare = () => Promise.resolve({});

const startedUpload = async ({ program }: Sender) => {
  const { id } = await program.answer<{ id: string }>("/uploads", "POST", V1_CALLS.startUpload.example.body);
  return { params: { id } };
};

const startedTransfer = async ({ program }: Sender) => {
  const { id } = await program.answer<{ id: string }>("/transfers", "POST", V1_CALLS.startTransfer.example.body);
  return { params: { id } };
};

/** All its bytes are stored, and the server knows it. */
const sentTransfer = async (sender: Sender) => {
  const { params } = await startedTransfer(sender);
  const path = `/transfers/${params.id}`;
  const headers = { "content-length": "5" };
  const sent = await sender.program.fetch(`${path}/objects/0/1`, { method: "PUT", headers, body: HELLO });
  const { etag } = await sent.json<{ etag: string }>();
  const receipts = [{ object: 0, part: 1, etag, crc32: crc32Hex(HELLO) }];
  await sender.program.answer(`${path}/files`, "POST", { receipts });
  return { params };
};

const finishedTransfer = async (sender: Sender) => {
  const { params } = await sentTransfer(sender);
  await sender.program.answer(`/transfers/${params.id}/complete`, "POST", {});
  return { params };
};

const link =
  (more: Record<string, unknown> = {}) =>
  async ({ person }: Sender) => {
    const file = { filename: "report.pdf", fileType: "application/pdf" };
    const { downloadId } = await sendFile(person, HELLO, { ...file, ...more });
    return { params: { downloadId } };
  };

const tusUpload = async ({ program }: Sender) => {
  const { path } = await startTus(HELLO.byteLength, program);
  const [id = "", secret = ""] = path.split("/").slice(-2);
  return { params: { id, secret } };
};

const approvedDevice = async ({ person }: Sender) => {
  const device = await SigningIn.begin();
  await person.post("/api/auth/device/approve", { userCode: device.userCode });
  return device;
};

const openRequest = async ({ program }: Sender) => {
  const { id } = await program.answer<{ id: string }>("/requests", "POST", V1_CALLS.createRequest.example.body);
  return { params: { id } };
};

const received = async ({ program }: Sender) => {
  const made = await program.answer<ListedUploadRequest>("/requests", "POST", { title: "Photos" });
  const sender = new RequestSender(made);
  await sender.send([textFile("sea.jpg")], { senderName: "Ada", note: "There are more." });
  return {};
};

/** For each call of the description what its example needs before it is sent. A call without a row does not compile. */
const PREPARATIONS: Record<DescribedName, Prepare> = {
  readMe: nothing,
  startDevice: nothing,
  pollDevice: async (sender) => ({ json: { device_code: (await approvedDevice(sender)).started.device_code } }),
  endKey: async (sender) => {
    const { access_token: key } = await (await (await approvedDevice(sender)).poll()).json<{ access_token: string }>();
    return { headers: { authorization: `Bearer ${key}` } };
  },
  startUpload: nothing,
  signParts: startedUpload,
  sendPart: async (sender) => ({ ...(await startedUpload(sender)), headers: { "content-length": "5" }, body: HELLO }),
  completeUpload: async (sender) => {
    const { params } = await startedUpload(sender);
    await putIncoming(params.id, HELLO);
    return { params };
  },
  readUpload: startedUpload,
  cancelUpload: startedUpload,
  putManifest: async ({ program }) => {
    const sealer = await newSeal();
    const start = { name: "sealed", size: sealedSize(5), seal: await sealAtStart(sealer, manifestOf([], false)) };
    const { id } = await program.answer<{ id: string }>("/uploads", "POST", start);
    return { params: { id } };
  },
  followUpload: async (sender) => ({ ...(await startedUpload(sender)), headers: { upgrade: "websocket" } }),
  startTransfer: nothing,
  addFiles: startedTransfer,
  listTransferFiles: startedTransfer,
  sendObjectPart: async (sender) => {
    const { params } = await startedTransfer(sender);
    return { params: { ...params, object: "0", part: "1" }, headers: { "content-length": "5" }, body: HELLO };
  },
  completeTransfer: sentTransfer,
  listTransfers: finishedTransfer,
  readTransfer: finishedTransfer,
  changeTransfer: finishedTransfer,
  deleteTransfer: finishedTransfer,
  mailTransfer: finishedTransfer,
  readDownloads: finishedTransfer,
  listRequests: openRequest,
  createRequest: nothing,
  changeRequest: openRequest,
  deleteRequest: openRequest,
  listReceived: received,
  readLink: link(),
  listLinkFiles: link(),
  readLinkFile: link(),
  unlockLink: link({ guards: V1_CALLS.unlockLink.example.body }),
  takeDownload: link(),
  describeTus: nothing,
  createTusUpload: nothing,
  readTusUpload: tusUpload,
  appendTusUpload: async (sender) => ({ ...(await tusUpload(sender)), body: HELLO }),
  endTusUpload: tusUpload,
  putFile: () => Promise.resolve({ body: HELLO }),
  postForm: () => {
    const body = new FormData();
    body.set("a", new File(["hello"], "report.pdf"));
    body.set("b", new File(["goodbye"], "notes.txt"));
    return Promise.resolve({ body });
  },
};

/** Sends what the reference shows of a call. @param key of the person @param type that the program asks for */
export async function sendExample(name: DescribedName, person: Client, key: string, type: string): Promise<Response> {
  const call: V1Call = DESCRIBED_CALLS[name];
  const { example } = call;
  const { params, headers, json, body } = await PREPARATIONS[name]({ person, program: new Program(key) });
  const values: Record<string, string | number> = { ...example.params, ...params };
  const path = call.path.replaceAll(/\{(\w+)\}/g, (_, param: string) => String(values[param]));
  const address = new URL(`${call.isTop ? "" : "/api/v1"}${path}`, env.APP_ORIGIN);
  for (const [field, value] of Object.entries(example.query ?? {})) address.searchParams.set(field, String(value));
  return new Client().fetch(address.href, {
    method: call.method,
    headers: {
      accept: type,
      ...(call.scope !== null && { authorization: `Bearer ${key}` }),
      ...(call.body && { "content-type": "application/json" }),
      ...example.headers,
      ...headers,
    },
    body: call.body ? JSON.stringify({ ...example.body, ...json }) : (body ?? null),
  });
}
