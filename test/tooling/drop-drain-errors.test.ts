import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { dropDrainErrors } from "../../scripts/drop-drain-errors.ts";

const ERROR = "\u001b[31m✘ \u001b[41;31m[\u001b[41;97mERROR\u001b[41;31m]\u001b[0m \u001b[1m";
const AT =
  "      at cjt (file:///app/node_modules/wrangler/templates/middleware/middleware-ensure-req-body-drained.ts:9:33)";

it("a body that the Worker reads after a refusal is no error of `wrangler dev`, and every other error is shown", async () => {
  const lines = [
    "first",
    `${ERROR}Failed to drain the unused request body. TypeError: This ReadableStream is currently locked to a reader.\u001b[0m`,
    "",
    AT,
    "",
    "",
    `${ERROR}Failed to drain the unused request body. Error: Network connection lost.\u001b[0m`,
    "",
    AT,
    "",
    `${ERROR}Uncaught TypeError: x is not a function\u001b[0m`,
    "",
    "      at handler (worker/index.ts:1:1)",
  ];
  const shown: string[] = [];
  for await (const line of dropDrainErrors(Readable.from(lines))) shown.push(line);
  expect(shown).toEqual([lines[0], ...lines.slice(6)]);
});
