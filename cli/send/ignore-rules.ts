interface Rule {
  pattern: RegExp;
  /** Takes back what an earlier rule left out. */
  isKept: boolean;
  isForFolders: boolean;
}

/**
 * Reads a `.mayflyignore`: a pattern in each line as in a `.gitignore`, with `*`, `?`, `**`, `!` and `#`.
 * @returns whether a path below the file's folder is left out; the last pattern that matches decides
 */
export function readIgnoreRules(text: string): (path: string, isFolder: boolean) => boolean {
  const rules = text.split(/\r?\n/).flatMap(readRule);
  return (path, isFolder) => {
    const last = rules.findLast(({ pattern, isForFolders }) => (isFolder || !isForFolders) && pattern.test(path));
    return last !== undefined && !last.isKept;
  };
}

function readRule(line: string): Rule[] {
  const text = line.trim();
  if (text === "" || text.startsWith("#")) return [];
  const isKept = text.startsWith("!");
  const isForFolders = text.endsWith("/");
  const body = text.slice(isKept ? 1 : 0, isForFolders ? -1 : undefined);
  // A slash that is not the last one binds the pattern to the folder of the file.
  const isBound = body.includes("/");
  const source = body.replace(/^\//, "").replaceAll(/\*\*\/|\*\*|\*|\?|[^*?]/g, sourceOf);
  return [{ pattern: new RegExp(`^${isBound ? "" : "(?:.*/)?"}${source}$`, "u"), isKept, isForFolders }];
}

function sourceOf(piece: string): string {
  switch (piece) {
    case "**/":
      return "(?:.*/)?";
    case "**":
      return ".*";
    case "*":
      return "[^/]*";
    case "?":
      return "[^/]";
    default:
      return piece.replace(/[\\^$.|+()[\]{}/]/, String.raw`\$&`);
  }
}
