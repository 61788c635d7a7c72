import { SECOND_MS } from "#domain/units.ts";
import type { Engine } from "./engine.ts";
import type { Line } from "./line.ts";
import { Person } from "./person.ts";

/** A whole story that is played in each engine. */
export interface Scenario {
  name: string;
  play(world: World): Promise<void>;
}

/** What came of one step: "yes", what the engine cannot do, or what went wrong. */
export interface Outcome {
  step: string;
  figure: string;
}

/** Answers what the engine cannot do, in words; nothing when all is well. */
type Work = (() => Promise<void>) | (() => Promise<string | undefined>);

/** What a scenario plays in: one engine, and the local system at the other end of a line. */
export class World {
  readonly line: Line;
  /** Absolute; the scenario's files lie here. */
  readonly folder: string;
  readonly outcomes: Outcome[] = [];
  /** Errors on the console that no step expected. */
  readonly errors: string[] = [];
  /** Runs SQL in the local system's database. */
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

  /** Somebody new, in a browser of their own. */
  async openPerson(): Promise<Person> {
    const person = new Person(await this.#engine.openTab(), this.line);
    this.#people.push(person);
    return person;
  }

  /**
   * Does a step, and notes what came of it.
   * @param expected errors that the step means to cause on the console
   * @throws what the step throws
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
