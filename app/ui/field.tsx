import clsx from "clsx";
import { forwardRef, useId, type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes } from "react";

interface Labelled {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
}

export const controlClass =
  "min-h-11 w-full rounded-xl border border-line bg-paper px-3.5 py-2 text-ink placeholder:text-muted focus-visible:border-reed aria-invalid:border-danger";

/** An input with its label, hint and error, tied together for assistive technology. */
export const Field = forwardRef<HTMLInputElement, Labelled & InputHTMLAttributes<HTMLInputElement>>(function Field(
  { label, hint, error, ...input },
  ref,
) {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <input ref={ref} className={controlClass} {...tied(id, hint, error)} {...input} />
    </Frame>
  );
});

/** The same for text of several lines. */
export function TextArea({ label, hint, error, ...area }: Labelled & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <textarea className={clsx(controlClass, "resize-y")} {...tied(id, hint, error)} {...area} />
    </Frame>
  );
}

function tied(id: string, hint: ReactNode, error: string | undefined) {
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return { id, "aria-invalid": error ? true : undefined, "aria-describedby": described || undefined };
}

function Frame({ id, label, hint, error, children }: Labelled & { id: string; children: ReactNode }) {
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children}
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
}
