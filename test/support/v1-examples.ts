import { V1_CALLS, type DESCRIBED_CALLS } from "#domain/v1/calls.ts";
import { sealedSize } from "#domain/seal/sizes.ts";
import { manifestOf, newSeal, sealAtStart } from "./sealed-uploads.ts";
import { crc32Hex } from "./transfers.ts";
import { startTus } from "./tus.ts";
import type { Program } from "./v1.ts";
import { putIncoming, sendFile, type Client } from "./worker.ts";

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

/** For each call of the description what its example needs before it is sent. A call without a row does not compile. */
export const PREPARATIONS: Record<DescribedName, Prepare> = {
  readMe: nothing,
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
