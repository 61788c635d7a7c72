import clsx from "clsx";
import type { LucideIcon } from "lucide-react";
import type { ButtonHTMLAttributes } from "react";

const LOOKS = {
  primary: "bg-reed text-on-reed hover:bg-reed-strong",
  quiet: "border border-line bg-surface text-ink hover:border-reed",
  bare: "text-ink hover:bg-sunken",
  danger: "border border-line bg-surface text-danger hover:border-danger",
} as const;

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: keyof typeof LOOKS;
  wide?: boolean;
  /** Stands before the button's text. */
  icon?: LucideIcon;
  /** The action is under way. Clicks do nothing, but the button keeps the focus, which `disabled` would lose. */
  busy?: boolean;
}

export function buttonClass(look: keyof typeof LOOKS = "primary", wide = false): string {
  return clsx(
    "inline-flex min-h-11 items-center justify-center gap-2 rounded-xl px-4 py-2 font-medium transition-colors",
    "disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55",
    LOOKS[look],
    wide && "w-full",
  );
}

export function Button(props: ButtonProps) {
  const { look, wide, icon: Icon, busy = false, className, type = "button", onClick, children, ...rest } = props;
  return (
    <button
      type={type}
      aria-disabled={busy || undefined}
      className={clsx(buttonClass(look, wide), busy && "busy", className)}
      onClick={(event) => {
        // Also stops Enter in a field of the form, which clicks the submit button.
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
      {...rest}
    >
      {Icon && <Icon size={18} aria-hidden />}
      {children}
    </button>
  );
}
