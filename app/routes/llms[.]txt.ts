import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { discoveryAnswer } from "#app/features/content/robot-file.server.ts";

export const loader = async ({ context }: LoaderFunctionArgs) => discoveryAnswer(await context.llms(), "text/plain");
