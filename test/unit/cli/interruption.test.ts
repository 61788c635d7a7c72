import { expect, it } from "vitest";
import { describeInterruption } from "../../../cli/failure.ts";

it.each([
  [["send", "a.bin", "--expires", "1d"], "Interrupted. This goes on: mayfly send a.bin --expires 1d"],
  [["send", "my photos", "it's"], String.raw`Interrupted. This goes on: mayfly send 'my photos' 'it'\''s'`],
  [["get", "http://localhost/download/a#b"], "Interrupted. This goes on: mayfly get 'http://localhost/download/a#b'"],
  [["send", "a", "--password", "secret"], "Interrupted. The same command goes on."],
  [["send", "a", "--password=secret"], "Interrupted. The same command goes on."],
  [["send", "-"], "Interrupted. Standard input cannot be read again, so this upload cannot go on."],
  [["send", "a", "--fresh"], "Interrupted. An upload with --fresh cannot go on."],
  [["ls"], "Interrupted."],
  [[], "Interrupted."],
])("tells after %j what goes on [CLI-14]", (args, text) => {
  expect(describeInterruption(args)).toBe(text);
});
