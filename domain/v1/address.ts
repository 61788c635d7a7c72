/** Where programs call. What breaks becomes `/api/v2`. */
export const V1_PATH = "/api/v1";

/** @param path of a request */
export function isV1(path: string): boolean {
  return path.startsWith(`${V1_PATH}/`);
}
