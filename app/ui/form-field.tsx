import clsx from "clsx";
import { forwardRef, useId, type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes } from "react";

interface FieldText {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
}

export const controlClass =
  "min-h-11 w-full rounded-xl border border-line bg-paper px-3.5 py-2 text-ink placeholder:text-muted focus-visible:border-reed aria-invalid:border-danger";

/** An input with its label; hint and error are its accessible description. */
export const FormField = forwardRef<HTMLInputElement, FieldText & InputHTMLAttributes<HTMLInputElement>>(
  function FormField({ label, hint, error, ...input }, ref) {
    const id = useId();
    return (
      <FieldFrame id={id} label={label} hint={hint} error={error}>
        <input ref={ref} className={controlClass} {...fieldAttributes(id, hint, error)} {...input} />
      </FieldFrame>
    );
  },
);

export function FormTextArea({
  label,
  hint,
  error,
  ...textArea
}: FieldText & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <textarea className={clsx(controlClass, "resize-y")} {...fieldAttributes(id, hint, error)} {...textArea} />
    </FieldFrame>
  );
}

interface FormChoicesProps {
  legend: string;
  isLegendHidden?: boolean;
  error?: string | undefined;
  children: ReactNode;
}

export function FormChoices({ legend, isLegendHidden = false, error, children }: FormChoicesProps) {
  const id = useId();
  return (
    <fieldset className="grid gap-0.5" {...describedBy(id, null, error)}>
      <legend className={isLegendHidden ? "sr-only" : "mb-1 text-sm font-medium"}>{legend}</legend>
      {children}
      <FieldError id={id} error={error} />
    </fieldset>
  );
}

interface FormRadioProps extends InputHTMLAttributes<HTMLInputElement> {
  /** Shown at the right end of the row, outside the label. */
  aside?: ReactNode;
}

export function FormRadio({ aside, children, ...input }: FormRadioProps) {
  return (
    <div className="flex min-h-11 items-center justify-between gap-3 rounded-lg px-2 has-checked:bg-sunken">
      <label className="flex min-h-11 flex-1 items-center gap-3 has-disabled:text-muted">
        <input type="radio" className="size-4 accent-reed" {...input} />
        {children}
      </label>
      {aside && <span className="text-right text-sm text-muted">{aside}</span>}
    </div>
  );
}

/** The attributes of an input in the `FieldFrame` with the same id. */
export function fieldAttributes(id: string, hint: ReactNode, error: string | undefined) {
  return { id, "aria-invalid": error ? true : undefined, ...describedBy(id, hint, error) };
}

function describedBy(id: string, hint: ReactNode, error: string | undefined) {
  const ids = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return { "aria-describedby": ids || undefined };
}

/** A label above an input, with hint and error below. The input needs the `fieldAttributes` of the same id. */
export function FieldFrame({ id, label, hint, error, children }: FieldText & { id: string; children: ReactNode }) {
  return (
    // Without `content-start`, an error below a neighbouring field would stretch this field.
    <div className="grid content-start gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      <FieldError id={id} error={error} />
    </div>
  );
}

function FieldError({ id, error }: { id: string; error: string | undefined }) {
  if (!error) return null;
  return (
    <p id={`${id}-error`} className="text-sm text-danger">
      {error}
    </p>
  );
}

/** A checkbox before its label. Several checkboxes belong in a `FormChoices`. */
export function FormCheckbox({ children, ...input }: InputHTMLAttributes<HTMLInputElement>) {
  return (
    <label className="flex min-h-11 items-center gap-3">
      <input type="checkbox" className="size-5 shrink-0 accent-(--reed)" {...input} />
      {children}
    </label>
  );
}
