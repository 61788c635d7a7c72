export function River() {
  return (
    <div aria-hidden className="absolute inset-x-0 bottom-0 -z-10 h-56 overflow-hidden lg:h-[26rem]">
      <svg viewBox="0 0 1440 400" preserveAspectRatio="xMidYMax slice" className="size-full">
        <defs>
          <linearGradient id="glow" x1="0" y1="0" x2="0" y2="1">
            <stop offset="0" stopColor="var(--amber)" stopOpacity="0" />
            <stop offset="1" stopColor="var(--amber)" stopOpacity=".22" />
          </linearGradient>
        </defs>
        <rect width="1440" height="270" fill="url(#glow)" />
        <circle cx="610" cy="270" r="92" className="fill-sun" />
        <path d="M0 270h1440v130H0z" className="fill-water" />
        <path
          d="M520 282h180M545 296h126M500 310h196M566 324h92M530 340h150M580 356h70M556 374h110"
          className="stroke-sun"
          strokeWidth="5"
          strokeLinecap="round"
        />
        <path d="M0 336c240-22 480-22 720 0s480 22 720 0v64H0z" className="fill-water-deep" opacity=".55" />
        <path d="M0 370c240 18 480 18 720 0s480-18 720 0v30H0z" className="fill-water-deep" />
        <Reeds x={96} />
        <Reeds x={1296} mirrored />
      </svg>
      <Insect className="absolute bottom-[52%] left-[58%] w-10 rotate-[-8deg] lg:bottom-[50%] lg:left-[31%] lg:w-16" />
      <Insect className="absolute bottom-[57%] left-[18%] w-7 rotate-[14deg] opacity-80 lg:bottom-[44%] lg:left-[21%] lg:w-9" />
    </div>
  );
}

function Reeds({ x, mirrored = false }: { x: number; mirrored?: boolean }) {
  return (
    <g
      transform={`translate(${x} 0) scale(${mirrored ? -1 : 1} 1)`}
      className="stroke-reed-ink"
      fill="none"
      strokeLinecap="round"
    >
      <path
        strokeWidth="4"
        d="M-60 400c4-90 2-150-16-210M-30 400c0-110 6-190 24-262M0 400c2-80 14-140 40-190M30 400c-2-60 6-110 26-150M-84 400c-2-60-10-100-30-140"
      />
      <path strokeWidth="13" d="M-79 178l-5-30M-3 126l9-32M43 200l14-26" />
    </g>
  );
}

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
