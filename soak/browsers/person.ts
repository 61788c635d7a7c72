import { setTimeout as wait } from "node:timers/promises";
import { SECOND_MS } from "#domain/units.ts";
import type { Downloaded, Handle, Tab } from "./engine.ts";
import type { Line } from "./line.ts";
import { findTarget, type Target } from "./target.ts";

/** The drivers have no events in common, so the page is looked at so often, */
const LOOK_EVERY_MS = 100;
/** and so long. */
export const PATIENCE_MS = 60 * SECOND_MS;

/** Somebody in front of a tab: what people do and see, the same in every engine. */
export class Person {
  readonly #tab: Tab;
  readonly #line: Line;
  #hasPage = false;

  /** @param line what paths lead over */
  constructor(tab: Tab, line: Line) {
    this.#tab = tab;
    this.#line = line;
  }

  /**
   * Opens a page. One that is open is left at rest: WebKit calls it an error when a request ends with its page.
   * @param address a path, or a whole URL
   */
  async goto(address: string): Promise<void> {
    if (this.#hasPage) await this.#line.rest();
    this.#hasPage = true;
    const url = new URL(address, this.#line.origin).href;
    await this.#tab.goto(url).catch((cause: unknown) => {
      throw new Error(`could not open ${url}`, { cause });
    });
  }

  /** Reloads the page when it is at rest. */
  async reload(): Promise<void> {
    await this.#line.rest();
    await this.reloadAtOnce();
  }

  /** Reloads the page whatever is under way, also when it asks whether to stay. */
  async reloadAtOnce(): Promise<void> {
    await this.#tab.reload().catch((cause: unknown) => {
      throw new Error("could not reload the page", { cause });
    });
  }

  /** Resolves once it is shown. @throws Error when it does not come */
  async see(target: Target): Promise<void> {
    await this.until("it is shown", target, (element) => element !== null);
  }

  /** Clicks what is shown. @throws Error when it does not come */
  async click(target: Target): Promise<void> {
    await (await this.#alive(target)).click();
  }

  /** Types into a field. */
  async fill(target: Target, value: string): Promise<void> {
    await (await this.#alive(target)).type(value);
  }

  /** Chooses a file in a file input. @param path absolute */
  async choose(target: Target, path: string): Promise<void> {
    await (await this.#alive(target)).chooseFile(path);
  }

  /** Chooses an option of a list. @param value the option's own, not its text */
  async select(target: Target, value: string): Promise<void> {
    await this.#alive(target);
    await this.#tab.evaluate(script(selectOption, target, [value]));
  }

  /** Downloads a file by a click. @param sizeBytes of the file @returns it, whole */
  download(target: Target, sizeBytes: number): Promise<Downloaded> {
    return this.#tab.download(() => this.click(target), sizeBytes);
  }

  /**
   * Asks the page about an element until the answer is something other than null and false.
   * @param what what is waited for, for the message
   * @param look runs in the page: it may use nothing from outside but its arguments; these and its answer have to fit JSON
   * @throws Error when that takes too long
   */
  async until<Answer, Args extends unknown[]>(
    what: string,
    target: Target,
    look: (element: Element | null, ...args: Args) => Answer,
    ...args: Args
  ): Promise<NonNullable<Awaited<Answer>>> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const answer = (await this.#tab.evaluate(script(look, target, args))) as Awaited<Answer>;
      if (answer !== null && answer !== undefined && answer !== false) return answer;
      if (performance.now() > deadline) {
        throw new Error(`waited ${PATIENCE_MS / SECOND_MS} s for ${JSON.stringify(target)}: ${what}`);
      }
      await wait(LOOK_EVERY_MS);
    }
  }

  /** Errors that the console has shown since the last call. */
  takeErrors(): string[] {
    return this.#tab.takeErrors();
  }

  /** An element that React has taken over: what is done to it before that goes unheard. */
  async #alive(target: Target): Promise<Handle> {
    await this.until("it can be used", target, isAlive);
    const handle = await this.#tab.find(script((element: Element | null) => element, target, []));
    if (!handle) throw new Error(`${JSON.stringify(target)} has gone`);
    return handle;
  }
}

/** The text of a call. Its first argument is the element that the target means, or null. */
function script<Args extends unknown[]>(
  run: (element: Element | null, ...args: Args) => unknown,
  target: Target,
  args: Args,
): string {
  const element = `(${findTarget.toString()})(${JSON.stringify(target)})`;
  return `(${run.toString()})(${[element, ...args.map((arg) => JSON.stringify(arg))].join(", ")})`;
}

/** Runs in the page. */
function isAlive(element: Element | null): boolean {
  if (!element || (element as HTMLButtonElement).disabled) return false;
  return Object.keys(element).some((key) => key.startsWith("__react"));
}

/** Runs in the page. React hears of a value only when it is set as the browser sets it. */
function selectOption(element: Element | null, value: string): void {
  const setValue = Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, "value")?.set;
  setValue?.call(element, value);
  element?.dispatchEvent(new Event("change", { bubbles: true }));
}
