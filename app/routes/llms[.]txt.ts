import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { discoveryAnswer } from "#app/discovery.server.ts";

export const loader = async ({ context }: LoaderFunctionArgs) => discoveryAnswer(await context.llms(), "text/plain");
