import type { InputHTMLAttributes } from "react";
import { useSearchChange } from "#app/lib/search-params.ts";
import { controlClass } from "#app/ui/form-field.tsx";

interface FilterFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  /** Its name in the address. */
  name: string;
  value: string;
}

/** One exact filter of a list; Enter, or leaving the field, applies it. */
export function FilterField({ label, name, value, ...input }: FilterFieldProps) {
  const show = useSearchChange();
  const apply = (field: HTMLInputElement) => {
    const wanted = field.value.trim();
    // A day that is half typed is none.
    if (wanted !== value && field.validity.valid) show({ [name]: wanted });
  };
  return (
    <label className="flex items-center gap-2 max-sm:w-full">
      <span className={input.type === "date" ? "shrink-0 text-sm text-muted max-sm:w-12" : "sr-only"}>{label}</span>
      <input
        // The address may change without this field.
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
