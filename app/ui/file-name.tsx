import { cutName } from "./cut-name.ts";

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
