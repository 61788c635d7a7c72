import { useCallback, useMemo, useEffect } from "react";
import { useAuthDialog } from "#app/lib/auth-dialog.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { useAnonymousUploads, useCurrentUser } from "#app/lib/session.ts";
import { formatBytes } from "#domain/units.ts";
import { connectToStorage } from "../browser/connect-ahead.ts";
import { isChoiceWrong, optionsOf, type LinkChoiceProps } from "../link-choice.ts";
import { requiresAuth } from "../upload-error-messages.ts";
import { defaultTitle } from "./chosen-list.ts";
import type { CurrentTransfer } from "./current-transfer.ts";
import { findPlanProblems, type PlanProblem } from "./plan-problems.ts";
import type { ListView } from "./transfer-draft.ts";

/**
 * Sends the list, after a sign-in if needed. If the list exceeds the plan, shows its problems instead of sending it.
 * @returns the problems with the plan, the default title, and the function that sends the list
 */
export function useSend(
  transfer: CurrentTransfer,
  { list, draft }: ListView,
  { plan, choice }: Pick<LinkChoiceProps, "plan" | "choice">,
): { problems: readonly PlanProblem[]; title: string; send: () => void } {
  const t = useMessages("transferUpload");
  const openAuth = useAuthDialog();
  const isSignedIn = useCurrentUser() !== null;
  const anonymousUploads = useAnonymousUploads();
  const found = useMemo(() => findPlanProblems(list, plan), [list, plan]);
  // The plan of an account may allow more than a visitor may send.
  const mustSignIn = !isSignedIn && (!anonymousUploads || found.length > 0);
  const problems = mustSignIn ? NONE : found;
  const title = useMemo(() => defaultTitle(list, t), [list, t]);
  const send = useCallback(() => {
    const start = () => {
      connectToStorage();
      transfer.send(optionsOf(choice), title);
    };
    if (mustSignIn) {
      draft.show();
      openAuth({
        tab: "register",
        reason: t("signInReason", { count: list.entries.length, size: formatBytes(list.bytes, t.locale) }),
        onSuccess: ({ planType }) => {
          if (findPlanProblems(list, planType).length === 0) start();
        },
      });
    } else if (problems.length > 0 || isChoiceWrong(choice)) draft.show();
    else start();
  }, [transfer, draft, list, title, choice, mustSignIn, problems, openAuth, t]);
  return { problems, title, send };
}

const NONE: readonly PlanProblem[] = [];

const asked = new WeakSet<object>();

/** Asks a person whose session has ended to log in, once for each error. */
export function useAskToSignIn(error: unknown, onSignedIn: () => void): void {
  const t = useMessages("transferUpload");
  const openAuth = useAuthDialog();
  useEffect(() => {
    if (!(error instanceof Error) || !requiresAuth(error) || asked.has(error)) return;
    asked.add(error);
    openAuth({ tab: "login", reason: t("logInToGoOn"), onSuccess: onSignedIn });
    // oxlint-disable-next-line react/exhaustive-deps -- a new function is no reason to ask again
  }, [error]);
}
