import { posix, win32 } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkPath } from "#domain/transfers/paths.ts";
import { localName } from "../../../cli/get/get.ts";

const FOLDERS = [
  ["Linux", posix, "/home/ada/out"],
  ["Windows", win32, "C:\\Users\\ada\\out"],
] as const;

/** What the server says, and what the only file behind a link is saved as. */
const HOSTILE = [
  ["../evil.txt", ".._evil.txt"],
  ["a/../../evil.txt", "a_.._.._evil.txt"],
  ["/etc/evil.txt", "_etc_evil.txt"],
  ["..", "download"],
  [".", "download"],
  ["", "download"],
  ["a//b", "a__b"],
  ["..\\evil.txt", ".._evil.txt"],
  ["C:\\evil.txt", "C__evil.txt"],
  ["\\\\server\\share\\evil.txt", "__server_share_evil.txt"],
  ["C:x", "C_x"],
  ["a.txt:b", "a.txt_b"],
  ["a.txt::$DATA", "a.txt__$DATA"],
  ["CON", "_CON"],
  ["con.txt", "_con.txt"],
  ["COM1", "_COM1"],
  ["a/NUL.tar.gz", "a_NUL.tar.gz"],
  ["a.txt.", "a.txt"],
  ["a.txt . .", "a.txt"],
  ["folder./a.txt", "folder._a.txt"],
  ["a\u0000.txt", "a.txt"],
  ["a\u001b]0;evil\u0007", "a]0;evil"],
  ["gpj.\u202eexe", "gpj.exe"],
  ["what?*.txt", "what__.txt"],
  ["a|b<c>", "a_b_c_"],
] as const;

describe.each(FOLDERS)("on %s", (_, path, out) => {
  const placeOf = (name: string) => path.join(out, ...name.split("/"));

  it.each(HOSTILE)("%j is refused in a folder, and alone it is saved as %j [CLI-7]", (name, saved) => {
    expect(() => localName(name, false)).toThrow(`The server names a file "${name}", which is no name.`);
    expect(localName(name, true)).toBe(saved);
    expect(path.dirname(placeOf(saved))).toBe(out);
  });

  it("any name stays below the folder, and in the file system's own sense is that name [CLI-7]", () => {
    const names = fc.oneof(
      fc.array(fc.nat(0x10ffff), { maxLength: 300 }).map((codePoints) => String.fromCodePoint(...codePoints)),
      fc.array(fc.constantFrom("/", "\\", ":", ".", " ", "a", "C", "\u0000", "\u202e")).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(names, (name) => {
        const alone = localName(name, true);
        expect(checkPath(alone)).toBe(true);
        for (const saved of checkPath(name) ? [alone, localName(name, false)] : [alone]) {
          const place = placeOf(saved);
          expect(place.startsWith(out + path.sep)).toBe(true);
          expect(path.parse(place).root).toBe(path.parse(out).root);
          expect(place.slice(out.length)).not.toMatch(/:|[. ]$/);
        }
      }),
    );
  });
});

it.each(["a.txt", "photos/deep/sea.jpg", "empty/", "\u202f.txt", "\u00e9t\u00e9.txt", ".bashrc"])(
  "keeps %j",
  (name) => {
    expect(localName(name, false)).toBe(name);
  },
);
