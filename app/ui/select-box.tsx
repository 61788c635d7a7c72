import { controlClass } from "./form-field.tsx";

interface SelectBoxProps {
  label: string;
  value: string;
  /** Pairs of value and label. */
  options: readonly (readonly [string, string])[];
  onChoose(value: string): void;
}

export function SelectBox({ label, value, options, onChoose }: SelectBoxProps) {
  return (
    <label className="max-sm:w-full">
      <span className="sr-only">{label}</span>
      <select value={value} className={controlClass} onChange={(event) => onChoose(event.target.value)}>
        {options.map(([optionValue, optionLabel]) => (
          <option key={optionValue} value={optionValue}>
            {optionLabel}
          </option>
        ))}
      </select>
    </label>
  );
}
