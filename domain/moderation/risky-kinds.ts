import { DAY_MS } from "../units.ts";

/**
 * Kinds of files that can do harm when they are opened. `page`: HTML, which can pretend to be a login. `macro`: an
 * office file with a program inside.
 */
export const RISKY_KINDS = ["program", "script", "page", "disk-image", "shortcut", "macro"] as const;
export type RiskyKind = (typeof RISKY_KINDS)[number];

/** The endings of names by kind. What Windows, macOS and Linux run, mount or follow on a double click. */
const ENDINGS: Record<RiskyKind, string> = {
  program:
    "exe com scr pif cpl msi msix msixbundle appx appxbundle appinstaller application gadget dll ocx sys drv jar apk aab ipa app pkg mpkg deb rpm snap flatpak appimage run bin elf xpi crx chm hlp msp mst xll wasm",
  script:
    "bat cmd ps1 psm1 psd1 ps1xml vbs vbe vb js jse mjs ws wsf wsc wsh sct hta sh bash zsh csh ksh fish command tool py pyw pyz rb pl php lua tcl applescript scpt workflow terminal reg inf msc ade adp jnlp",
  page: "htm html xhtml xht shtml mht mhtml svg svgz",
  "disk-image": "iso img dmg vhd vhdx vmdk vdi qcow2 udf toast cdr sparseimage wim",
  shortcut: "lnk url website webloc desktop scf inetloc fileloc library-ms search-ms settingcontent-ms diagcab rdp",
  macro: "docm dotm xlsm xltm xlam xlsb pptm potm ppam ppsm sldm one odttf iqy slk",
};

const KIND_OF_ENDING = new Map(
  RISKY_KINDS.flatMap((kind) => ENDINGS[kind].split(" ").map((ending) => [ending, kind] as const)),
);

/** @param name a file's name or path @returns the kind that its ending says; null for an ending that is not risky */
export function riskByName(name: string): RiskyKind | null {
  // Windows drops dots and spaces at the end of a name.
  const [, ending = ""] = /\.([^./\\]*)$/.exec(name.replace(/[. ]+$/, "").toLowerCase()) ?? [];
  return KIND_OF_ENDING.get(ending) ?? null;
}

/** How many bytes from the beginning of a file `riskByBytes` looks at: an ISO 9660 image names itself at 32 KiB. */
export const RISK_HEAD_BYTES = 32_774;

/** Bytes at an offset that say what a file is. */
const MAGIC: readonly (readonly [kind: RiskyKind, offset: number, bytes: string])[] = [
  ["program", 0, "MZ"],
  ["program", 0, "\x7fELF"],
  ["program", 0, "\xfe\xed\xfa\xce"],
  ["program", 0, "\xfe\xed\xfa\xcf"],
  ["program", 0, "\xce\xfa\xed\xfe"],
  ["program", 0, "\xcf\xfa\xed\xfe"],
  ["program", 0, "\xca\xfe\xba\xbe"],
  ["program", 0, "dex\n"],
  ["program", 0, "ITSF"],
  ["program", 0, "!<arch>\ndebian"],
  ["program", 0, "\xed\xab\xee\xdb"],
  ["script", 0, "#!"],
  ["disk-image", 32_769, "CD001"],
  ["disk-image", 0, "conectix"],
  ["disk-image", 0, "vhdxfile"],
  ["disk-image", 0, "KDMV"],
  ["disk-image", 0, "QFI\xfb"],
  ["disk-image", 0, "MSWIM\0\0\0"],
  ["shortcut", 0, "L\0\0\0\x01\x14\x02\0"],
];

/** The beginnings of texts, without byte order mark, spaces and comments, in lower case. */
const TEXTS: readonly (readonly [kind: RiskyKind, text: string])[] = [
  ["page", "<!doctype html"],
  ["page", "<html"],
  ["page", "<head"],
  ["page", "<body"],
  ["page", "<script"],
  ["page", "<iframe"],
  ["page", "<svg"],
  ["page", "<!doctype svg"],
  ["shortcut", "[internetshortcut]"],
  ["shortcut", "[desktop entry]"],
];

/** The part of an office file with macros (ECMA-376, part 1), whose name stands in the ZIP. */
const MACRO_PART = "vbaProject.bin";

/**
 * @param head the first `RISK_HEAD_BYTES` of a file, or all of it if it is shorter
 * @returns the kind that the bytes say, whatever the name says; null for a file that is not risky
 */
export function riskByBytes(head: Uint8Array): RiskyKind | null {
  const text = new TextDecoder("latin1").decode(head);
  const magic = MAGIC.find(([, offset, bytes]) => text.startsWith(fromCodes(bytes), offset));
  if (magic) return magic[0];
  if (text.startsWith("PK\x03\x04")) return text.includes(MACRO_PART) ? "macro" : null;
  const begin = text
    .slice(0, 4096)
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, "")
    .replaceAll("\0", "")
    .replace(/^(?:\s|<\?xml[^>]*>|<!--[^]*?-->)+/, "")
    .toLowerCase();
  return TEXTS.find(([, beginning]) => begin.startsWith(beginning))?.[0] ?? null;
}

/** The decoder's "latin1" is windows-1252, which gives other characters for 0x80 to 0x9f. */
function fromCodes(codes: string): string {
  return new TextDecoder("latin1").decode(Uint8Array.from(codes, (code) => code.charCodeAt(0)));
}

/** @returns the kinds in the order of `RISKY_KINDS`, each once */
export function inOrder(kinds: Iterable<RiskyKind | null>): RiskyKind[] {
  const found = new Set(kinds);
  return RISKY_KINDS.filter((kind) => found.has(kind));
}

/** @returns the kinds that a setting names, separated by commas; null if it names something else */
export function parseKinds(setting: string): RiskyKind[] | null {
  const named = setting.split(",").flatMap((word) => word.trim() || []);
  const kinds = RISKY_KINDS.filter((kind) => named.includes(kind));
  return kinds.length === new Set(named).size ? kinds : null;
}

/** An account is new for so long. */
export const NEW_ACCOUNT_MS = 30 * DAY_MS;
