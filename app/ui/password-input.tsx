import { Eye, EyeOff } from "lucide-react";
import { forwardRef, type InputHTMLAttributes } from "react";
import { controlClass } from "./form-field.tsx";

interface PasswordInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "type" | "className"> {
  isShown: boolean;
  /** The name of the button that shows the password. */
  showLabel: string;
  onShow(isShown: boolean): void;
}

/** An input for a link's password. The button of the input shows the password, which is shared with others anyway. */
export const PasswordInput = forwardRef<HTMLInputElement, PasswordInputProps>(function PasswordInput(
  { isShown, showLabel, onShow, ...input },
  ref,
) {
  const Icon = isShown ? EyeOff : Eye;
  return (
    <span className="relative">
      <input
        ref={ref}
        type={isShown ? "text" : "password"}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        translate="no"
        className={`${controlClass} pe-12`}
        {...input}
      />
      <button
        type="button"
        aria-label={showLabel}
        aria-pressed={isShown}
        className="absolute inset-y-0 end-0 grid w-11 cursor-pointer place-items-center rounded-xl text-muted hover:text-ink noscript:hidden"
        onClick={() => onShow(!isShown)}
      >
        <Icon size={20} aria-hidden />
      </button>
    </span>
  );
});
