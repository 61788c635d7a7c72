import { Link } from "@remix-run/react";
import * as Radix from "@radix-ui/react-toast";
import { X } from "lucide-react";
import { useSyncExternalStore, type ReactNode } from "react";
import { needToaster } from "./toaster.tsx";
import { buttonClass } from "./button.tsx";

/** Toasts stay so long unless they say otherwise, and are swiped away to the right (specification 1 section 9). */
const DISPLAY_MS = 5000;
const SWIPE_THRESHOLD_PX = 50;

export interface Toast {
  title: string;
  description?: ReactNode;
  tone?: "good" | "bad";
  /** How long it stays, milliseconds. */
  durationMs?: number;
  action?: ToastAction;
}

/** What can be done about it: something, or going to a page. */
export type ToastAction = { label: string; onAction: () => void } | { label: string; to: string };

let current: (Toast & { key: number }) | null = null;
let lastKey = 0;
const listeners = new Set<() => void>();

function publish(next: typeof current): void {
  current = next;
  for (const listener of listeners) listener();
}

/** Shows a toast, in the place of one that is still showing. */
export function toast(content: Toast): void {
  needToaster();
  lastKey += 1;
  publish({ ...content, key: lastKey });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The toast that is showing. F8 moves the focus here. */
export function Toaster() {
  const shown = useSyncExternalStore(
    subscribe,
    () => current,
    () => null,
  );
  return (
    <Radix.Provider duration={DISPLAY_MS} swipeDirection="right" swipeThreshold={SWIPE_THRESHOLD_PX}>
      {shown && (
        <Radix.Root
          key={shown.key}
          {...(shown.durationMs === undefined ? {} : { duration: shown.durationMs })}
          onOpenChange={(open) => {
            if (!open) publish(null);
          }}
          className="flex items-start gap-3 rounded-2xl border border-line bg-surface p-4 shadow-xl data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)"
        >
          <span
            aria-hidden
            className={`mt-1.5 size-2.5 shrink-0 rounded-full ${shown.tone === "bad" ? "bg-danger" : "bg-reed"}`}
          />
          <div className="min-w-0 flex-1">
            <Radix.Title className="font-medium">{shown.title}</Radix.Title>
            {shown.description && (
              <Radix.Description className="text-sm break-words text-muted">{shown.description}</Radix.Description>
            )}
            {shown.action && <Action action={shown.action} />}
          </div>
          <Radix.Close aria-label="Close" className="-m-1 rounded-lg p-1 text-muted hover:bg-sunken">
            <X size={18} aria-hidden />
          </Radix.Close>
        </Radix.Root>
      )}
      <Radix.Viewport
        hotkey={["F8"]}
        className="fixed right-0 bottom-0 z-50 w-full list-none p-4 outline-none md:max-w-[420px]"
      />
    </Radix.Provider>
  );
}

function Action({ action }: { action: ToastAction }) {
  const className = `${buttonClass("quiet")} mt-3`;
  return (
    <Radix.Action asChild altText={action.label}>
      {"to" in action ? (
        <Link to={action.to} className={className}>
          {action.label}
        </Link>
      ) : (
        <button type="button" className={className} onClick={action.onAction}>
          {action.label}
        </button>
      )}
    </Radix.Action>
  );
}
