import * as Radix from "@radix-ui/react-dialog";
import clsx from "clsx";
import { X } from "lucide-react";
import { createContext, useContext, useState, type ReactNode } from "react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Button } from "./button.tsx";

export interface DialogProps {
  title: string;
  description: ReactNode;
  onClose(): void;
  /** The width for previews. */
  wide?: boolean;
  /** The element to focus after closing if the element that had the focus before has been removed. */
  focusAfter?(): HTMLElement | null;
  children: ReactNode;
}

/** Gets the focus when a dialog closes and neither its opener nor its `focusAfter` is in the page. */
export const FocusAfter = createContext<() => HTMLElement | null>(() => null);

export function Dialog({ title, description, onClose, wide = false, focusAfter, children }: DialogProps) {
  const t = useMessages("common");
  const [openedFrom] = useState(findOpeners);
  const focusAfterAll = useContext(FocusAfter);
  return (
    <Radix.Root
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/45 backdrop-blur-[2px]" />
        <Radix.Content
          ref={(content) => {
            if (content) openersOf.set(content, openedFrom);
          }}
          // Radix returns the focus to its own trigger, which these dialogs do not have.
          onCloseAutoFocus={(event) => {
            const [opener, ...others] = openedFrom;
            const element = [opener, focusAfter?.(), ...others, focusAfterAll()].find(
              (candidate) => candidate?.isConnected,
            );
            if (!element) return;
            event.preventDefault();
            element.focus();
          }}
          className={clsx(
            "fixed top-1/2 left-1/2 z-40 max-h-[92dvh] -translate-x-1/2 -translate-y-1/2 overflow-y-auto rounded-3xl border border-line bg-surface p-6 shadow-2xl",
            wide ? "w-[min(48rem,calc(100vw-1.5rem))]" : "w-[min(27rem,calc(100vw-1.5rem))]",
          )}
        >
          <Radix.Title className="pr-8 font-display text-2xl font-semibold break-words">{title}</Radix.Title>
          <Radix.Description className="mt-1 break-words text-muted">{description}</Radix.Description>
          <div className="mt-5">{children}</div>
          <Radix.Close
            aria-label={t("close")}
            data-dialog-close
            className="absolute top-5 right-5 rounded-lg p-1.5 text-muted hover:bg-sunken"
          >
            <X size={20} aria-hidden />
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** For each open dialog, the elements that `findOpeners` found. */
const openersOf = new WeakMap<Element, readonly HTMLElement[]>();

/**
 * The focused element, or for an item of a menu the menu's button, because the item disappears once chosen. Inside a
 * dialog, the dialog's own openers follow: the new dialog may replace the old one.
 */
function findOpeners(): readonly HTMLElement[] {
  if (typeof document === "undefined") return [];
  const focused = document.activeElement;
  const menu = focused?.closest("[role=menu]");
  const element = menu ? document.getElementById(menu.getAttribute("aria-labelledby") ?? "") : focused;
  if (!(element instanceof HTMLElement)) return [];
  const dialog = element.closest("[role=dialog]");
  return [element, ...((dialog && openersOf.get(dialog)) ?? [])];
}

export interface QuestionProps {
  title: string;
  /** The consequences of the action. */
  text: ReactNode;
  /** Labels of the two buttons. */
  yes: string;
  no: string;
  /** The confirmed action is under way. */
  isBusy: boolean;
  look?: "danger" | "primary";
  focusAfter?(): HTMLElement | null;
  onYes(): void;
  onClose(): void;
}

/** Asks before an action. Only the caller closes the question, so that a failed action can be retried. */
export function Question({ title, text, yes, no, isBusy, look = "danger", onYes, onClose, ...others }: QuestionProps) {
  return (
    <Dialog title={title} description={text} onClose={onClose} {...others}>
      <div className="grid grid-cols-2 gap-3">
        <Button look="quiet" onClick={onClose}>
          {no}
        </Button>
        <Button look={look} busy={isBusy} onClick={onYes}>
          {yes}
        </Button>
      </div>
    </Dialog>
  );
}
