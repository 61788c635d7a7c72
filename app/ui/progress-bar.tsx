interface ProgressBarProps {
  label: string;
  percent: number;
}

export function ProgressBar({ label, percent }: ProgressBarProps) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="h-2.5 overflow-hidden rounded-full bg-sunken"
    >
      <div
        className="h-full origin-left rounded-full bg-linear-to-r from-reed to-amber"
        style={{ transform: `scaleX(${percent / 100})` }}
      />
    </div>
  );
}
