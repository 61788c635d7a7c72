/** A text whose code stands between backticks. */
export function Words({ text }: { text: string }) {
  return text.split("`").map((piece, index) =>
    index % 2 === 0 ? (
      piece
    ) : (
      <code key={index} className="rounded bg-sunken px-1 text-[0.9em] break-words">
        {piece}
      </code>
    ),
  );
}
