import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { PRODUCT_NAME } from "#domain/brand.ts";
import { CLI_VERSION, OLDEST_NODE } from "#domain/cli-package.ts";
import { runTool } from "./run-tool.ts";

/** The folder of the package as it is published, and the folder from which a deployment serves the package. */
const PACKAGE = "build/cli";
const SERVED = "build/client/cli";

/**
 * Bundles the command line into a package without dependencies, and packs it for this deployment to serve.
 * @throws Error when a tool fails
 */
export function buildCli(): void {
  runTool("vite", ["build", "--config", "cli/vite.config.ts"]);
  const description = {
    name: "mayfly",
    version: CLI_VERSION,
    description: `Sends files with ${PRODUCT_NAME}, and fetches them.`,
    type: "module",
    bin: { mayfly: "mayfly.js" },
    files: ["*.js"],
    engines: { node: `>=${OLDEST_NODE}` },
  };
  writeFileSync(`${PACKAGE}/package.json`, `${JSON.stringify(description, null, 2)}\n`);
  rmSync(SERVED, { recursive: true, force: true });
  mkdirSync(SERVED, { recursive: true });
  runTool("npm", ["pack", `./${PACKAGE}`, "--pack-destination", SERVED, "--silent"]);
}

// Node 22 has no import.meta.main.
if (process.argv[1] === import.meta.filename) buildCli();
