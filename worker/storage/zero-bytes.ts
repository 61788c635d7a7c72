/** Bytes of an object. */
export interface Stretch {
  from: number;
  length: number;
}

/**
 * Overwrites stretches of an object of at most 16 MiB with zeros. A missing object has nothing to overwrite.
 * @throws Error when another write came in between: try again
 */
export async function overwriteWithZeros(bucket: R2Bucket, key: string, stretches: Stretch[]): Promise<void> {
  const object = await bucket.get(key);
  if (!object) return;
  const bytes = new Uint8Array(await object.arrayBuffer());
  for (const { from, length } of stretches) bytes.fill(0, from, from + length);
  const written = await bucket.put(key, bytes, {
    httpMetadata: object.httpMetadata ?? {},
    onlyIf: { etagMatches: object.etag },
  });
  if (!written) throw new Error(`${key} changed while it was being overwritten`);
}
