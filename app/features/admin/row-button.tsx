import clsx from "clsx";
import type { ComponentProps } from "react";
import { Button } from "#app/ui/button.tsx";

/** Smaller than other buttons if the pointer is a mouse. */
export function RowButton({ className, look = "quiet", ...rest }: ComponentProps<typeof Button>) {
  return (
    <Button
      look={look}
      className={clsx("px-3! py-1! text-sm whitespace-nowrap pointer-fine:min-h-9!", className)}
      {...rest}
    />
  );
}
