import { expect, it } from "vitest";
import { createSigner } from "#worker/storage/signing.ts";

const KEYS = { bucket: "mayfly", accessKeyId: "id", secretAccessKey: "secret" };
const IN_PATH = "https://account.r2.cloudflarestorage.com/mayfly";
const IN_HOST = "https://mayfly.account.r2.cloudflarestorage.com";
const ID = "4f6a2c1e-0000-8000-8000-00000000000a";

async function addressesOf(endpoint: string, key: string, parts: number[]): Promise<string[]> {
  const signer = createSigner({ ...KEYS, endpoint });
  const urls = await Promise.all(parts.map((part) => signer.partUrl(key, "upload", part, 8_388_608)));
  return urls.map((url) => url.split("?")[0] ?? "");
}

it("the parts of a file take turns between R2's two addresses of the bucket", async () => {
  const addresses = await addressesOf("https://account.r2.cloudflarestorage.com", `files/${ID}`, [1, 2, 3, 4]);
  expect(addresses).toEqual([
    `${IN_PATH}/files/${ID}`,
    `${IN_HOST}/files/${ID}`,
    `${IN_PATH}/files/${ID}`,
    `${IN_HOST}/files/${ID}`,
  ]);
});

it("so do a transfer's objects that have one part", async () => {
  const objects = ["00000", "00001", "00002"];
  const endpoint = "https://account.eu.r2.cloudflarestorage.com";
  const addresses = await Promise.all(objects.map((object) => addressesOf(endpoint, `files/${ID}/${object}`, [1])));
  expect(addresses.flat().map((address) => new URL(address).host)).toEqual([
    "account.eu.r2.cloudflarestorage.com",
    "mayfly.account.eu.r2.cloudflarestorage.com",
    "account.eu.r2.cloudflarestorage.com",
  ]);
});

it("a store in a path, or without TLS, has one address", async () => {
  for (const endpoint of ["https://localhost:8788/cdn-cgi/local/r2/s3", "http://localhost:9000"]) {
    const addresses = await addressesOf(endpoint, `files/${ID}`, [1, 2]);
    expect(addresses).toEqual([`${endpoint}/mayfly/files/${ID}`, `${endpoint}/mayfly/files/${ID}`]);
  }
});
