import { useSyncExternalStore, useEffect, useState } from "react";
import type { ConfirmMethod } from "#domain/sign-in.ts";
import { ApiError, call } from "./api.ts";
import { createStore } from "./store.ts";

/** Asks the person to confirm who they are. @returns false if the person declines */
type Ask = (methods: readonly ConfirmMethod[]) => Promise<boolean>;

let ask: Ask | null = null;

/** The number of open confirmations. */
const open = createStore(0);

/** @param dialog will ask for every confirmation @returns a function that unregisters the dialog */
function askThrough(dialog: Ask): () => void {
  ask = dialog;
  return () => {
    if (ask === dialog) ask = null;
  };
}

/** The person declined to confirm who they are. The call changed nothing, and pages show no failure. */
export class NotConfirmed extends Error {}

/** Makes a call with `goOnConfirmed`. @throws NotConfirmed; ApiError CONFIRM_REQUIRED without a dialog */
export const callConfirmed: typeof call = (name, ...options) => goOnConfirmed(() => call(name, ...options));

/**
 * Sends a call. If the server requires a confirmation, asks for one, sends the call again and refocuses the button.
 * @throws NotConfirmed; ApiError CONFIRM_REQUIRED on a page without a confirmation dialog
 */
async function goOnConfirmed<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  if (!ask) return send();
  const pressed = document.activeElement;
  try {
    return await send();
  } catch (error) {
    if (!wantsConfirmation(error)) throw error;
    open.set(open.get() + 1);
    const isConfirmed = await ask(methodsOf(error)).finally(() => open.set(open.get() - 1));
    if (pressed instanceof HTMLButtonElement && pressed.disabled) focusOnceEnabled(pressed);
    if (!isConfirmed) throw new NotConfirmed();
    return send();
  }
}

/**
 * Focuses a button once its call is over. The closing dialog cannot focus the button, because the button is still
 * disabled.
 */
function focusOnceEnabled(button: HTMLButtonElement): void {
  const observer = new MutationObserver(() => {
    observer.disconnect();
    button.focus();
  });
  observer.observe(button, { attributeFilter: ["disabled"] });
}

function wantsConfirmation(error: unknown): error is ApiError {
  return error instanceof ApiError && error.body.code === "CONFIRM_REQUIRED";
}

/** The order in which the dialog shows the methods. */
const SHOWN: readonly ConfirmMethod[] = ["passkey", "password", "code", "mailCode"];

function methodsOf({ body }: ApiError): ConfirmMethod[] {
  const methods: unknown = body.methods;
  return Array.isArray(methods) ? SHOWN.filter((method) => methods.includes(method)) : [];
}

/** Whether a button shows its label for "under way": `busy`, but not while a confirmation is open. */
export function useAtWork(busy: boolean): boolean {
  return useSyncExternalStore(open.subscribe, open.get, () => 0) > 0 ? false : busy;
}

interface ConfirmQuestion {
  methods: readonly ConfirmMethod[];
  close(isConfirmed: boolean): void;
}

interface Waiting {
  methods: readonly ConfirmMethod[];
  /** Resolves each call that waits for the confirmation. */
  answer: ((isConfirmed: boolean) => void)[];
}

/**
 * The open question, for the page's one dialog that asks for confirmations. @returns null while no call needs a
 * confirmation
 */
export function useConfirmQuestion(): ConfirmQuestion | null {
  const [waiting, setWaiting] = useState<Waiting | null>(null);
  useEffect(
    () =>
      askThrough(
        (methods) =>
          new Promise((resolve) => setWaiting((before) => ({ methods, answer: [...(before?.answer ?? []), resolve] }))),
      ),
    [],
  );
  if (!waiting) return null;
  return {
    methods: waiting.methods,
    close: (isConfirmed) => {
      setWaiting(null);
      for (const answer of waiting.answer) answer(isConfirmed);
    },
  };
}
