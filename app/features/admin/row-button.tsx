import clsx from "clsx";
import type { ComponentProps } from "react";
import { Button } from "#app/ui/button.tsx";

/** A button in a row: smaller where there is a mouse, as large as any other where there are fingers. */
export function RowButton({ className, look = "quiet", ...rest }: ComponentProps<typeof Button>) {
  return (
    <Button
      look={look}
      className={clsx("px-3! py-1! text-sm whitespace-nowrap pointer-fine:min-h-9!", className)}
      {...rest}
    />
  );
}
