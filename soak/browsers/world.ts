import { SECOND_MS } from "#domain/units.ts";
import type { Engine } from "./engine.ts";
import type { Line } from "./line.ts";
import { Person } from "./person.ts";

export interface Scenario {
  name: string;
  play(world: World): Promise<void>;
}

/** The result of a step: "yes", "no", or something that the engine cannot do. */
export interface Outcome {
  step: string;
  figure: string;
}

/** Resolves to something that the engine cannot do, or to nothing. */
type Work = (() => Promise<void>) | (() => Promise<string | undefined>);

/** One engine and the local system, connected by a line. */
export class World {
  readonly line: Line;
  /** Absolute path for the scenario's files. */
  readonly folder: string;
  readonly outcomes: Outcome[] = [];
  readonly errors: string[] = [];
  readonly query: (sql: string) => Promise<unknown>;
  readonly #engine: Engine;
  readonly #people: Person[] = [];
  readonly #log: (line: string) => void;

  constructor(options: {
    engine: Engine;
    line: Line;
    folder: string;
    query: (sql: string) => Promise<unknown>;
    log: (line: string) => void;
  }) {
    this.line = options.line;
    this.folder = options.folder;
    this.query = options.query;
    this.#engine = options.engine;
    this.#log = options.log;
  }

  async openPerson(): Promise<Person> {
    const person = new Person(await this.#engine.openTab(), this.line);
    this.#people.push(person);
    return person;
  }

  /**
   * Runs a step and records its result.
   * @param expected console errors that the step causes
   * @throws the step's error
   */
  async step(step: string, work: Work, expected?: RegExp): Promise<void> {
    const started = performance.now();
    let figure = "no";
    try {
      figure = (await work()) ?? "yes";
    } finally {
      this.outcomes.push({ step, figure });
      const errors = this.#people.flatMap((person) => person.takeErrors());
      this.errors.push(...errors.filter((error) => !expected?.test(error)).map((error) => `${step}: ${error}`));
      const seconds = ((performance.now() - started) / SECOND_MS).toFixed(1);
      this.#log(`${this.#engine.version}: ${step}: ${figure} (${seconds} s)`);
    }
  }
}
