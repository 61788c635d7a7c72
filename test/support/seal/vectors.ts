import { toBase64url } from "#domain/bytes-as-text.ts";
import { readFragment, writeFragment } from "#domain/seal/fragment.ts";
import {
  deriveContentKeys,
  deriveLinkKeys,
  keyedFingerprint,
  unwrapSecret,
  wrapSecret,
  type Bytes,
  type ContentKeys,
} from "#domain/seal/keys.ts";
import { openManifest, sealManifest, type Manifest } from "#domain/seal/manifest.ts";
import { markOf } from "#domain/seal/marks.ts";
import { openAbout, openPicture, sealAbout, sealPicture } from "#domain/seal/pictures.ts";
import { deriveStreamKeys, openRecords, sealRecords } from "#domain/seal/records.ts";
import { webpHeader } from "../pictures/webp.ts";
import { hex } from "./sealed-files.ts";

/** The vectors of docs/encryption.md. Each runtime computes them from these inputs. */
const secret = Uint8Array.from({ length: 32 }, (_, index) => index);
const linkSecret = Uint8Array.from({ length: 32 }, (_, index) => 255 - index);
const salt = Uint8Array.from({ length: 16 }, (_, index) => 7 * index);
const passwordHash = new Uint8Array(32).fill(0x5a);
const wrapNonce = new Uint8Array(12).fill(9);
const manifestNonce = new Uint8Array(12).fill(1);
const pictureNonce = new Uint8Array(12).fill(3);
const image = webpHeader(3, 2);
const facts = { width: 480, height: 320, seconds: 12.5 };
const withoutPassword = new Uint8Array();
const manifest: Manifest = {
  final: false,
  title: "Fotos für dich",
  files: [{ name: "a/ä.txt", type: "text/plain", size: 5, mtime: 1_790_000_000_000, stream: 0, at: 0 }],
};
/** Number and bytes of plaintext. Byte j of stream s is (31·j + s) mod 256. */
const STREAMS = [
  [0, 0],
  [0, 5],
  [2, 262_117],
  [3, 786_341],
] as const;

/** The same by Python's reader, except for the manifest, whose JSON Python writes otherwise. */
export const EXPECTED: Record<string, string> = {
  fragment: "1__79_Pv6-fj39vX08_Lx8O_u7ezr6uno5-bl5OPi4eA",
  access: "6c4d9020825cb9b9677adf61f4ec697b464a30dff983dc5f4c927722b8001553",
  wrap: "0909090909090909090909090585626b93e356e931bf97c97035be674fa0466c2f4d0472c6afde5af29b9ce104c0797136ef19a2f1ea8634cff27a04",
  accessWithPassword: "f5d6232cd6ba18b27724f70ba8fd87f99dcd56f87fe3b90e0fd90e15b37fe6bf",
  wrapWithPassword:
    "09090909090909090909090984685b380bd2447a1e49010cd941c5e5d871f3313ac02c646fb25e746d4618feb96e621d823113dce0afa41c93a54af7",
  commitment: "a9b5c3b1a17ab9a1d2cadeba5af7c221a088e5bd14b3c06d5e074c184e790b38",
  fingerprint: "bece2330aeb5d673b4267e106534c9692cf6b7062c28fc27ccfa2c6ed96a7794",
  manifest: "d4794de7499d2dfb8b29ba88bdf0b7f009c881f0d1517f640d066ed06f924c8e",
  "stream 0 of 0 bytes": "3039410cf6333162aa79c19e28634131fb400ae6031d043631aa5c1ddedca61e",
  "stream 0 of 5 bytes": "f0327cc0b56c6f7cc09aae855b118d526fbedbb2f96bb6779050fd9c5bac2a7a",
  "stream 2 of 262117 bytes": "765f566077a32177b97b202e69e4de51a5cd9862eb3b5945da507489e3f49fce",
  "stream 3 of 786341 bytes": "c30ab51f019cf1b5cdf58c3694ad0d6c6d9ea167dd893256334417ea7521f52d",
  "mark of stream 3": "3hEm7Ul9fS6vSLmx",
  "tile of stream 2":
    "030303030303030303030303ceb8c22123c3eb7c5daaba6d52cc332f6eaac283dd71f851e3af5cc25730f42bcecfc9a799a5132dd0ed",
  "view of stream 2":
    "030303030303030303030303ceb8c22123c3eb7c5daaba6d52cc332f6eaac283dd71f851e3af7a5f5c73ea1446e614ed28ad608c1087",
  "facts of stream 2": "AwMDAwMDAwMDAwMDx8W8Vx3w2Uwm3soTMcErQ0uK4qPSU5hxw48RgWEG1M8rapTnqKYkj3eOeaxaSPa4",
};

/** @returns what this runtime computes for `EXPECTED` @throws Error when something does not open again */
export async function computeVectors(): Promise<Record<string, string>> {
  const link = await deriveLinkKeys(linkSecret, withoutPassword, salt);
  const locked = await deriveLinkKeys(linkSecret, passwordHash, salt);
  const keys = await deriveContentKeys(secret, salt);
  const wrap = await wrapSecret(secret, link, wrapNonce);
  expectEqual((await unwrapSecret(wrap, link, salt, keys.commitment)).secret, secret);
  const fragment = writeFragment({ linkSecret, hasPassword: false });
  const read = readFragment(fragment);
  if ("problem" in read) throw new Error("the fragment cannot be read");
  expectEqual(read.linkSecret, linkSecret);
  return {
    fragment,
    access: hex(link.access),
    wrap: hex(wrap),
    accessWithPassword: hex(locked.access),
    wrapWithPassword: hex(await wrapSecret(secret, locked, wrapNonce)),
    commitment: hex(keys.commitment),
    fingerprint: hex(await keyedFingerprint(keys, new Uint8Array(32))),
    manifest: await manifestVector(keys),
    ...(await streamVectors(keys)),
    ...(await pictureVectors(keys)),
  };
}

async function pictureVectors(keys: ContentKeys): Promise<Record<string, string>> {
  const tile = await sealPicture(keys, 2, "tile", image, pictureNonce);
  const view = await sealPicture(keys, 2, "view", image, pictureNonce);
  expectEqual((await openPicture(keys, 2, "tile", tile)).image, image);
  expectEqual((await openPicture(keys, 2, "view", view)).image, image);
  const about = await sealAbout(keys, 2, facts, pictureNonce);
  const opened = await openAbout(keys, 2, about);
  if (JSON.stringify(opened) !== JSON.stringify(facts)) throw new Error("the facts open to others");
  return { "tile of stream 2": hex(tile), "view of stream 2": hex(view), "facts of stream 2": about };
}

async function manifestVector(keys: ContentKeys): Promise<string> {
  const body = await sealManifest(keys, 7, manifest, manifestNonce);
  const opened = await openManifest(keys, 7, body);
  if (JSON.stringify(opened) !== JSON.stringify(manifest)) throw new Error("the manifest opens to another one");
  return sha256(body);
}

async function streamVectors(content: ContentKeys): Promise<Record<string, string>> {
  const vectors: Record<string, string> = {};
  for (const [stream, length] of STREAMS) {
    const keys = await deriveStreamKeys(content, stream, length);
    const plaintext = Uint8Array.from({ length }, (_, at) => (31 * at + stream) % 256);
    const { pieces, nonces } = await sealRecords(keys, 0, plaintext);
    const sealed = new Uint8Array(await new Blob(pieces).arrayBuffer());
    expectEqual(await openRecords(keys, 0, sealed), plaintext);
    vectors[`stream ${stream} of ${length} bytes`] = await sha256(sealed);
    if (stream === 3) vectors["mark of stream 3"] = await markOf(content, stream, 1, nonces);
  }
  return vectors;
}

function expectEqual(bytes: Bytes, expected: Bytes): void {
  if (toBase64url(bytes) !== toBase64url(expected)) throw new Error("opened to other bytes");
}

async function sha256(bytes: Bytes): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}
