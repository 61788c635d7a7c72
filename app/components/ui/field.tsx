import { forwardRef, useId, type InputHTMLAttributes, type ReactNode } from "react";

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
}

export const controlClass =
  "min-h-11 w-full rounded-xl border border-line bg-paper px-3.5 py-2 text-ink placeholder:text-muted focus-visible:border-reed aria-invalid:border-danger";

/** An input with its label, hint and error, tied together for assistive technology. */
export const Field = forwardRef<HTMLInputElement, FieldProps>(function Field({ label, hint, error, ...input }, ref) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <input
        ref={ref}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={described || undefined}
        className={controlClass}
        {...input}
      />
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="text-sm text-danger">
          {error}
        </p>
      )}
    </div>
  );
});
