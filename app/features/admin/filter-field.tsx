import type { InputHTMLAttributes } from "react";
import { useSearchChange } from "#app/lib/search-params.ts";
import { controlClass } from "#app/ui/form-field.tsx";

interface FilterFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  name: string;
  value: string;
}

/** Applies the filter on Enter or blur. */
export function FilterField({ label, name, value, ...input }: FilterFieldProps) {
  const show = useSearchChange();
  const apply = (input: HTMLInputElement) => {
    const newValue = input.value.trim();
    // Ignore an incomplete date.
    if (newValue !== value && input.validity.valid) show({ [name]: newValue });
  };
  return (
    <label className="flex items-center gap-2 max-sm:w-full">
      <span className={input.type === "date" ? "shrink-0 text-sm text-muted max-sm:w-20" : "sr-only"}>{label}</span>
      <input
        // Resets the input when the URL changes.
        key={value}
        title={label}
        defaultValue={value}
        className={controlClass}
        onBlur={(event) => {
          apply(event.target);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") apply(event.currentTarget);
        }}
        {...input}
      />
    </label>
  );
}
