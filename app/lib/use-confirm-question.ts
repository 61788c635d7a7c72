import { useEffect, useState } from "react";
import type { ConfirmMethod } from "#domain/sign-in.ts";
import { askThrough } from "./confirming.ts";

interface ConfirmQuestion {
  methods: readonly ConfirmMethod[];
  close(isConfirmed: boolean): void;
}

interface Waiting {
  methods: readonly ConfirmMethod[];
  /** Of every call that waits. */
  answer: ((isConfirmed: boolean) => void)[];
}

/** For the one dialog of a page that asks for confirmations. @returns null while no call needs one */
export function useConfirmQuestion(): ConfirmQuestion | null {
  const [waiting, setWaiting] = useState<Waiting | null>(null);
  useEffect(
    () =>
      askThrough(
        (methods) =>
          new Promise((resolve) => {
            setWaiting((open) => ({ methods, answer: [...(open?.answer ?? []), resolve] }));
          }),
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
