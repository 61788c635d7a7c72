export function Logo({ className }: { className: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden className={className}>
      <rect width="32" height="32" rx="9" className="fill-reed" />
      <path d="M16 9c-1 4-5 7-10 7 4 2 8 1 10-2 2 3 6 4 10 2-5 0-9-3-10-7z" className="fill-amber" />
      <path d="M16 13c-.7 5-.7 9 0 13 .7-4 .7-8 0-13z" className="fill-on-reed" />
    </svg>
  );
}
