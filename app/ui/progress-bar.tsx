interface ProgressBarProps {
  label: string;
  percent: number;
  /** Read by screen readers instead of the percentage. */
  text?: string;
  colors?: string;
}

export function ProgressBar({ label, percent, text, colors = "bg-linear-to-r from-reed to-amber" }: ProgressBarProps) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.floor(percent)}
      aria-valuetext={text}
      className="h-2.5 overflow-hidden rounded-full bg-sunken"
    >
      <div className={`h-full origin-left rounded-full ${colors}`} style={{ transform: `scaleX(${percent / 100})` }} />
    </div>
  );
}
