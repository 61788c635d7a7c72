import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { crawlerFileResponse } from "#app/features/content/crawler-file.server.ts";

export const loader = async ({ context }: LoaderFunctionArgs) =>
  crawlerFileResponse(await context.sitemap(), "application/xml");
