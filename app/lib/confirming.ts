import { useSyncExternalStore, useEffect, useState } from "react";
import type { ConfirmMethod } from "#domain/sign-in.ts";
import { ApiError, call } from "./api.ts";
import { createStore } from "./store.ts";

/** @returns false when the person does not want to confirm */
type Ask = (methods: readonly ConfirmMethod[]) => Promise<boolean>;

let ask: Ask | null = null;

/** How many questions are open. While there is one, what the person wanted is not at work. */
const open = createStore(0);

/** @param dialog asks the person from now on @returns ends that */
function askThrough(dialog: Ask): () => void {
  ask = dialog;
  return () => {
    if (ask === dialog) ask = null;
  };
}

/** A person did not confirm who they are, so nothing was changed. They know, so no page calls it a failure. */
export class NotConfirmed extends Error {}

/**
 * Does what `call` does, for sensitive calls.
 * @throws NotConfirmed, and ApiError CONFIRM_REQUIRED on a page that cannot ask
 */
export const callConfirmed: typeof call = (name, ...options) => goOnConfirmed(() => call(name, ...options));

/**
 * Where the server wants a confirmation, asks for it and then goes on by itself. The focus returns to the button.
 * @throws NotConfirmed, and ApiError CONFIRM_REQUIRED on a page that cannot ask
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

/** The dialog cannot return the focus to a button that is disabled until the call is over. */
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

/** In the order in which the dialog shows them. */
const SHOWN: readonly ConfirmMethod[] = ["passkey", "password", "code", "mailCode"];

function methodsOf({ body }: ApiError): ConfirmMethod[] {
  const methods: unknown = body.methods;
  return Array.isArray(methods) ? SHOWN.filter((method) => methods.includes(method)) : [];
}

/**
 * Which words a button shows whose call may need a confirmation.
 * @param busy the call is not over @returns false while the person is asked to confirm
 */
export function useAtWork(busy: boolean): boolean {
  return useSyncExternalStore(open.subscribe, open.get, () => 0) > 0 ? false : busy;
}

interface ConfirmQuestion {
  methods: readonly ConfirmMethod[];
  close(isConfirmed: boolean): void;
}

interface Waiting {
  methods: readonly ConfirmMethod[];
  /** What to call for each waiting call. */
  answer: ((isConfirmed: boolean) => void)[];
}

/** For the one dialog of a page that asks for confirmations. @returns null while no call needs one */
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
