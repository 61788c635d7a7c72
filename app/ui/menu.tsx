import * as Radix from "@radix-ui/react-dropdown-menu";
import clsx from "clsx";
import { EllipsisVertical, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { buttonClass } from "./button.tsx";

export function Menu({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger aria-label={label} className={clsx(buttonClass("quiet"), "px-3!")}>
        <EllipsisVertical size={18} aria-hidden />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align="end"
          sideOffset={6}
          className="z-30 min-w-52 rounded-2xl border border-line bg-surface p-1.5 shadow-xl"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface MenuItemProps {
  icon: LucideIcon;
  danger?: boolean;
  disabled?: boolean;
  onSelect(): void;
  children: ReactNode;
}

export function MenuItem({ icon: Icon, danger = false, disabled = false, onSelect, children }: MenuItemProps) {
  return (
    <Radix.Item
      disabled={disabled}
      onSelect={onSelect}
      className={clsx(
        "flex min-h-11 cursor-pointer items-center gap-3 rounded-xl px-3 outline-none select-none",
        "data-disabled:cursor-default data-disabled:opacity-50 data-highlighted:bg-sunken",
        danger && "text-danger",
      )}
    >
      <Icon size={18} aria-hidden />
      {children}
    </Radix.Item>
  );
}
