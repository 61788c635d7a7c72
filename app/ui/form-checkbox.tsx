import type { InputHTMLAttributes } from "react";

/** A checkbox before its label. Several belong into `FormChoices`. */
export function FormCheckbox({ children, ...input }: InputHTMLAttributes<HTMLInputElement>) {
  return (
    <label className="flex min-h-11 items-center gap-3">
      <input type="checkbox" className="size-5 shrink-0 accent-(--reed)" {...input} />
      {children}
    </label>
  );
}
