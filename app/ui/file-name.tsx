/**
 * A file's name in one line. One that is too long is cut in the middle, so that its end with the extension stays. The
 * style (`.file-name`) does so without a script: it shows the name, or where it does not fit, the two parts. The parts
 * are no text: screen readers, the clipboard and the browser's search have the name once and whole.
 */
export function FileName({ name, title = name }: { name: string; title?: string }) {
  const [start, end] = cutName(name);
  return (
    <span className="file-name" dir="auto" title={title}>
      <span>{name}</span>
      <span aria-hidden data-start={start} data-end={end} />
    </span>
  );
}

/** Characters of the end that stays. */
const END = 8;
/** A longer extension makes the end longer, but only up to here. */
const MAX_END = 12;
/** How many characters of the name stay before an extension. */
const BEFORE_EXTENSION = 3;

let segmenter: Intl.Segmenter | undefined;

/**
 * Where a long name is cut: before its last characters, which include a short extension. Counts characters as people
 * do (UAX #29), so that no emoji or accent comes apart.
 * @returns the start, and the end that stays; together they are the name
 */
export function cutName(name: string): [start: string, end: string] {
  const characters = charactersOf(name);
  const dot = characters.lastIndexOf(".");
  const extension = dot === -1 ? 0 : characters.length - dot;
  const end = Math.min(MAX_END, Math.max(END, extension + BEFORE_EXTENSION));
  const at = Math.max(0, characters.length - end);
  return [characters.slice(0, at).join(""), characters.slice(at).join("")];
}

/** Most names are ASCII, which needs no segmenter: lists have thousands. */
function charactersOf(name: string): string[] {
  // oxlint-disable-next-line no-control-regex
  if (/^[\0-\x7f]*$/.test(name)) return name.split("");
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(name), ({ segment }) => segment);
}
