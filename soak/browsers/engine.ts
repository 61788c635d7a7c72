/** A running browser engine, implemented by chromium.ts, firefox.ts and webkit.ts. */
export interface Engine {
  version: string;
  /** Opens a tab with cookies of its own. */
  openTab(): Promise<Tab>;
  /** Closes the browser, and everything that was started for the browser. */
  close(): Promise<void>;
}

/**
 * A tab, as its driver controls it. person.ts builds a person's actions on such tabs. Scripts are expressions as text,
 * which every driver accepts.
 */
export interface Tab {
  goto(url: string): Promise<void>;
  /** Reloads the page, even if the page asks for confirmation. */
  reload(): Promise<void>;
  /** @param script an expression or a promise @returns its value, as JSON */
  evaluate(script: string): Promise<unknown>;
  /** @param script an expression for an element or null */
  find(script: string): Promise<Handle | null>;
  /** Runs `start` and waits for the download that starts. @param sizeBytes of the file @returns the complete file */
  download(start: () => Promise<void>, sizeBytes: number): Promise<Downloaded>;
  /** Console errors and uncaught exceptions since the last call. */
  takeErrors(): string[];
}

export interface Downloaded {
  path: string;
  name: string;
}

export interface Handle {
  click(): Promise<void>;
  type(text: string): Promise<void>;
  /** @param paths absolute */
  chooseFiles(paths: string[]): Promise<void>;
}

export interface EngineOptions {
  /** Absolute path of an existing folder; the engine writes only there. */
  folder: string;
}

/** The engine is not installed; the message says how to install it. */
export class MissingEngineError extends Error {}
