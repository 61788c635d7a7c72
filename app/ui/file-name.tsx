/**
 * A file's name on one line, cut in the middle if too long, so that its extension stays. The CSS class `.file-name`
 * cuts the name without scripts: it shows the whole name or, if that does not fit, the parts before and after the cut.
 * The parts are CSS content, so screen readers, the clipboard and the browser's search find the name once, uncut.
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

/** Characters shown after the cut. */
const END = 8;
/** The most characters after the cut; more than `END` only for a long extension. */
const MAX_END = 12;
/** Characters of the name shown between the cut and the extension. */
const BEFORE_EXTENSION = 3;

let segmenter: Intl.Segmenter | undefined;

/**
 * Cuts a name before its last characters, which include a short extension. Counts grapheme clusters (UAX #29), so that
 * the cut divides no emoji or accented letter. @returns both parts; joined, they are the name
 */
export function cutName(name: string): [start: string, end: string] {
  const characters = charactersOf(name);
  const dot = characters.lastIndexOf(".");
  const extension = dot === -1 ? 0 : characters.length - dot;
  const end = Math.min(MAX_END, Math.max(END, extension + BEFORE_EXTENSION));
  const at = Math.max(0, characters.length - end);
  return [characters.slice(0, at).join(""), characters.slice(at).join("")];
}

/** Splits into grapheme clusters. ASCII names skip the slow segmenter, since lists have thousands of names. */
function charactersOf(name: string): string[] {
  // oxlint-disable-next-line no-control-regex
  if (/^[\0-\x7f]*$/.test(name)) return name.split("");
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(name), ({ segment }) => segment);
}
