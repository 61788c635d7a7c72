import type { TestProject } from "vitest/node";
import { startClamdDouble } from "./double.ts";

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { close, ...ports } = await startClamdDouble();
  project.provide("scanners", ports);
  return close;
}
