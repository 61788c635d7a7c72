import { setTimeout as wait } from "node:timers/promises";
import { SECOND_MS } from "#domain/units.ts";
import type { Downloaded, Handle, Tab } from "./engine.ts";
import type { Line } from "./line.ts";
import { findTarget, type Target } from "./target.ts";

/** The time between two looks at a page. Drivers have no events in common, so pages are polled. */
const POLL_MS = 100;
/** The longest wait for anything on a page. */
export const TIMEOUT_MS = 60 * SECOND_MS;

/** A person at a tab: actions and observations, the same in every engine. */
export class Person {
  readonly #tab: Tab;
  readonly #line: Line;
  #hasPage = false;

  /** @param line the base of relative paths */
  constructor(tab: Tab, line: Line) {
    this.#tab = tab;
    this.#line = line;
  }

  /**
   * Opens a page once the present page is at rest, because WebKit reports interrupted requests as errors.
   * @param address a path or URL
   */
  async goto(address: string): Promise<void> {
    if (this.#hasPage) await this.#line.rest();
    this.#hasPage = true;
    const url = new URL(address, this.#line.origin).href;
    await this.#tab.goto(url).catch((cause: unknown) => {
      throw new Error(`could not open ${url}`, { cause });
    });
  }

  async reload(): Promise<void> {
    await this.#line.rest();
    await this.reloadAtOnce();
  }

  /** Reloads the page at once, even if the page asks for confirmation. */
  async reloadAtOnce(): Promise<void> {
    await this.#tab.reload().catch((cause: unknown) => {
      throw new Error("could not reload the page", { cause });
    });
  }

  /** @throws Error when the element does not appear */
  async see(target: Target): Promise<void> {
    await this.until("it is shown", target, (element) => element !== null);
  }

  /** @throws Error when the element does not appear */
  async click(target: Target): Promise<void> {
    await (await this.#alive(target)).click();
  }

  async fill(target: Target, value: string): Promise<void> {
    await (await this.#alive(target)).type(value);
  }

  /** @param path absolute */
  async choose(target: Target, path: string): Promise<void> {
    await (await this.#alive(target)).chooseFiles([path]);
  }

  /**
   * Chooses files so that the page sees them as files of a chosen folder. Drivers cannot choose a folder.
   * @param folder absolute
   * @param paths below the folder, with different names
   */
  async chooseFolder(target: Target, folder: string, paths: string[]): Promise<void> {
    const handle = await this.#alive(target);
    const name = folder.split("/").at(-1) ?? "";
    await this.#tab.evaluate(script(tellPaths, target, [paths.map((path) => `${name}/${path}`)]));
    await handle.chooseFiles(paths.map((path) => `${folder}/${path}`));
  }

  /** @param value the option's value, not its text */
  async select(target: Target, value: string): Promise<void> {
    await this.#alive(target);
    await this.#tab.evaluate(script(selectOption, target, [value]));
  }

  /** Clicks and waits for the download. @param sizeBytes of the file */
  download(target: Target, sizeBytes: number): Promise<Downloaded> {
    return this.#tab.download(() => this.click(target), sizeBytes);
  }

  /**
   * Polls an element until `look` returns something other than null, undefined and false.
   * @param what for the error's message
   * @param look runs in the page, and uses only its arguments. Arguments and answer must be JSON
   * @throws Error on timeout
   */
  async until<Answer, Args extends unknown[]>(
    what: string,
    target: Target,
    look: (element: Element | null, ...args: Args) => Answer,
    ...args: Args
  ): Promise<NonNullable<Awaited<Answer>>> {
    const deadline = performance.now() + TIMEOUT_MS;
    let cause: unknown;
    for (;;) {
      try {
        const answer = (await this.#tab.evaluate(script(look, target, args))) as Awaited<Answer>;
        if (answer !== null && answer !== undefined && answer !== false) return answer;
      } catch (error) {
        // Drivers answer with such errors while one page takes the place of another.
        cause = error;
      }
      if (performance.now() > deadline) {
        throw new Error(`waited ${TIMEOUT_MS / SECOND_MS} s for ${JSON.stringify(target)}: ${what}`, { cause });
      }
      await wait(POLL_MS);
    }
  }

  takeErrors(): string[] {
    return this.#tab.takeErrors();
  }

  /** Waits until React has hydrated the element; earlier events are lost. */
  async #alive(target: Target): Promise<Handle> {
    await this.until("it can be used", target, isAlive);
    const handle = await this.#tab.find(script((element: Element | null) => element, target, []));
    if (!handle) throw new Error(`${JSON.stringify(target)} has gone`);
    return handle;
  }
}

/** The source of a call in the page. Its first argument is the target's element, or null. */
function script<Args extends unknown[]>(
  run: (element: Element | null, ...args: Args) => unknown,
  target: Target,
  args: Args,
): string {
  const element = `(${findTarget.toString()})(${JSON.stringify(target)})`;
  return `(${run.toString()})(${[element, ...args.map((arg) => JSON.stringify(arg))].join(", ")})`;
}

function isAlive(element: Element | null): boolean {
  if (!element || (element as HTMLButtonElement).disabled) return false;
  return Object.keys(element).some((key) => key.startsWith("__react"));
}

/** Runs in the page: gives each chosen file its path before the page reads the file. */
function tellPaths(_element: Element | null, paths: string[]): void {
  const tell = ({ target }: Event) => {
    for (const file of (target as HTMLInputElement).files ?? []) {
      const value = paths.find((path) => path.endsWith(`/${file.name}`));
      Object.defineProperty(file, "webkitRelativePath", { value });
    }
  };
  addEventListener("change", tell, { capture: true, once: true });
}

/** Runs in the page. React notices a value only if the native setter sets it. */
function selectOption(element: Element | null, value: string): void {
  const setValue = Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, "value")?.set;
  setValue?.call(element, value);
  element?.dispatchEvent(new Event("change", { bubbles: true }));
}
