/** The first pictures of what was sent, beside names that say what they show. */
export function TileStrip({ urls }: { urls: readonly string[] }) {
  if (urls.length === 0) return null;
  return (
    <div className="flex gap-1.5 overflow-clip">
      {urls.map((url) => (
        <img key={url} src={url} alt="" className="size-14 shrink-0 rounded-lg bg-sunken object-cover" />
      ))}
    </div>
  );
}
