import type { TestProject } from "vitest/node";
import { startReceiver } from "./receiver.ts";

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const receiver = await startReceiver();
  project.provide("webhookReceiver", receiver.origin);
  return () => receiver.close();
}
