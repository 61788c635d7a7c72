export function Insect({ className }: { className: string }) {
  return (
    <svg viewBox="0 0 64 64" aria-hidden className={className}>
      <path d="M30 34C20 32 8 22 5 6c14 3 24 13 27 27z" className="fill-amber" opacity=".75" />
      <path d="M32 34C31 20 38 8 54 3c3 16-7 28-20 32z" className="fill-amber" opacity=".5" />
      <g className="stroke-reed-ink" fill="none" strokeLinecap="round">
        <path strokeWidth="4" d="M29 31c4 5 8 9 14 12" />
        <path
          strokeWidth="1.4"
          d="M43 43c5 3 11 6 19 7M43 43c4 5 9 10 15 14M43 43c2 6 5 12 9 18M29 31c-3-2-6-3-9-3M29 31c-2-3-3-5-3-8"
        />
      </g>
    </svg>
  );
}
