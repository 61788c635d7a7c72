import { useId } from "react";

interface ChoiceProps {
  type: "radio" | "checkbox";
  name?: string;
  label: string;
  /** Below the label. */
  help: string;
  checked: boolean;
  onChange(): void;
}

/** One of several choices, with what it means. They belong into `FormChoices`. */
export function Choice({ label, help, ...input }: ChoiceProps) {
  const id = useId();
  return (
    <div className="-mx-2 flex gap-3 rounded-xl px-2 py-2.5 has-[[type=radio]:checked]:bg-sunken">
      <input id={id} aria-describedby={`${id}-help`} className="mt-0.5 size-5 shrink-0 accent-(--reed)" {...input} />
      <label htmlFor={id} className="min-w-0 flex-1 cursor-pointer">
        <span className="block font-medium">{label}</span>
        <span id={`${id}-help`} className="block text-sm text-muted">
          {help}
        </span>
      </label>
    </div>
  );
}
