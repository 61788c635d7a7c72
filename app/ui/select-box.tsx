import { controlClass } from "./form-field.tsx";

interface SelectBoxProps {
  label: string;
  value: string;
  /** Value and words. */
  options: readonly (readonly [string, string])[];
  onChoose(value: string): void;
}

/** One of several ways to order or filter a list. */
export function SelectBox({ label, value, options, onChoose }: SelectBoxProps) {
  return (
    <label className="max-sm:w-full">
      <span className="sr-only">{label}</span>
      <select
        value={value}
        className={controlClass}
        onChange={(event) => {
          onChoose(event.target.value);
        }}
      >
        {options.map(([known, words]) => (
          <option key={known} value={known}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
