import { Link } from "@remix-run/react";
import * as Radix from "@radix-ui/react-toast";
import { X } from "lucide-react";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { buttonClass } from "./button.tsx";
import { dismissToast, useToast, type ToastAction } from "./toast.ts";

/** How long a toast stays (decision 024). */
const DISPLAY_MS = 5000;
const SWIPE_THRESHOLD_PX = 50;

const HOTKEY = "F8";

export function Toasts() {
  const t = useMessages("common");
  const shown = useToast();
  return (
    <Radix.Provider
      label={t("notification")}
      duration={DISPLAY_MS}
      swipeDirection="right"
      swipeThreshold={SWIPE_THRESHOLD_PX}
    >
      {shown && (
        <Radix.Root
          key={shown.key}
          {...(shown.durationMs === undefined ? {} : { duration: shown.durationMs })}
          onOpenChange={(open) => {
            if (!open) dismissToast();
          }}
          onEscapeKeyDown={closeDialogFirst}
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
            {shown.requestId !== undefined && (
              <p className="mt-1 font-mono text-xs break-all text-muted">{shown.requestId}</p>
            )}
            {shown.action && <Action action={shown.action} />}
          </div>
          <Radix.Close aria-label={t("close")} className="-m-1 rounded-lg p-1 text-muted hover:bg-sunken">
            <X size={18} aria-hidden />
          </Radix.Close>
        </Radix.Root>
      )}
      <Radix.Viewport
        label={t("notifications", { key: HOTKEY })}
        hotkey={[HOTKEY]}
        className="fixed right-0 bottom-0 z-50 w-full list-none p-4 outline-none md:max-w-[420px]"
      />
    </Radix.Provider>
  );
}

/** Closes the topmost dialog on Escape, because Radix would close the newest toast instead of the dialog. */
function closeDialogFirst(event: KeyboardEvent): void {
  const close = [...document.querySelectorAll<HTMLElement>("[data-dialog-close]")].at(-1);
  if (!close) return;
  event.preventDefault();
  close.click();
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
