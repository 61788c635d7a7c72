import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { writeReceipt } from "#app/features/upload/request/receipt.tsx";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

it("names every file, and says of which it has no checksum", () => {
  const entries = [
    { path: "a.txt", size: 1, sha256: "ab".repeat(32) },
    { path: "empty/", size: 0 },
    { path: "large.bin", size: 2 },
  ];
  expect(writeReceipt({ title: "Receipt for Photos", summary: "2 files", entries })).toBe(
    `# Receipt for Photos\n# 2 files\n\n${"ab".repeat(32)}  a.txt\n# large.bin\n`,
  );
});

it("is read by sha256sum", () => {
  const folder = mkdtempSync(join(tmpdir(), "receipt-"));
  mkdirSync(join(folder, "album"));
  writeFileSync(join(folder, "album/one two.txt"), "one");
  writeFileSync(join(folder, "b.txt"), "two");
  const entries = [
    { path: "album/one two.txt", size: 3, sha256: sha256("one") },
    { path: "b.txt", size: 3, sha256: sha256("two") },
  ];
  const input = writeReceipt({ title: "Receipt", summary: "2 files", entries });
  const checked = spawnSync("sha256sum", ["--check"], { cwd: folder, input, encoding: "utf8" });
  expect(checked.stdout).toBe("album/one two.txt: OK\nb.txt: OK\n");
  expect(checked.status).toBe(0);
});
