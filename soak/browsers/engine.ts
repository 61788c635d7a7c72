/** A browser engine that is running. Three drivers implement it: chromium.ts, firefox.ts, webkit.ts. */
export interface Engine {
  /** As people call it, and its version: "Firefox 153.7.0". */
  version: string;
  /** Opens a tab for somebody who shares no cookies with those before. */
  openTab(): Promise<Tab>;
  /** Ends the browser and all that was started for it. */
  close(): Promise<void>;
}

/**
 * One tab, as its driver moves it. What a person does in it is written once, on these few methods, in person.ts.
 * Scripts are expressions as text: that is what every driver takes.
 */
export interface Tab {
  goto(url: string): Promise<void>;
  /** Also leaves a page that asks whether to stay. */
  reload(): Promise<void>;
  /** @param script an expression, which may be a promise @returns its value, which has to fit JSON */
  evaluate(script: string): Promise<unknown>;
  /** @param script an expression whose value is an element or null */
  find(script: string): Promise<Handle | null>;
  /** Does what starts a download. @param sizeBytes of the file @returns the file, once it is whole */
  download(start: () => Promise<void>, sizeBytes: number): Promise<Downloaded>;
  /** Errors that the console has shown since the last call, with those that nobody caught. */
  takeErrors(): string[];
}

/** A file that a browser has downloaded. */
export interface Downloaded {
  path: string;
  /** What the browser calls it. */
  name: string;
}

/** An element that a driver has found. */
export interface Handle {
  click(): Promise<void>;
  type(text: string): Promise<void>;
  chooseFile(path: string): Promise<void>;
}

/** What a driver needs to start. */
export interface EngineOptions {
  /** Absolute; the engine writes nothing elsewhere. It exists. */
  folder: string;
}

/** An engine is not installed; the message says how to install it. */
export class MissingEngineError extends Error {}
