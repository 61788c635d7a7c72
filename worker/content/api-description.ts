import { V1_PATH } from "#domain/v1/call.ts";
import type { ApiDescription } from "#domain/v1/description.ts";
import type { Services } from "../services.ts";

/** The description of `/api/v1` that is deployed with the pages. @throws Error when the file cannot be read */
export async function readApiDescription({ assets, settings }: Services): Promise<ApiDescription> {
  const response = await assets.fetch(`${settings.origin}${V1_PATH}/openapi.json`);
  if (!response.ok) throw new Error(`openapi.json answered ${response.status}`);
  return response.json();
}
