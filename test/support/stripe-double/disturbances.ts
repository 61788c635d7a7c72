interface Disturbance {
  match: string;
  kind: "fail" | "hold";
  left: number;
  /** Resolves on `release`. Used only for a held request. */
  released: Promise<undefined>;
  release: (value: undefined) => void;
  caught: Promise<undefined>;
  noteCaught: (value: undefined) => void;
}

/** Faults for requests that contain a text. Requests of other tests do not contain it, so they are not affected. */
export class Disturbances {
  readonly #active: Disturbance[] = [];

  /** The next `times` matching requests are answered with 500. */
  fail(match: string, times: number): void {
    this.#add(match, "fail", times);
  }

  /** The next matching request is processed at once, but answered only on `release`. */
  hold(match: string): void {
    this.#add(match, "hold", 1);
  }

  /** Resolves when a request is held. */
  async caught(match: string): Promise<void> {
    await this.#find(match)?.caught;
  }

  release(match: string): void {
    const held = this.#find(match);
    if (!held) return;
    held.release(undefined);
    this.#active.splice(this.#active.indexOf(held), 1);
  }

  /** @returns whether the request fails, and a promise that its answer waits for */
  meet(raw: string): { fails: boolean; answered: Promise<unknown> } {
    const met = this.#active.find(({ match, left }) => left > 0 && raw.includes(match));
    if (!met) return { fails: false, answered: Promise.resolve() };
    met.left -= 1;
    met.noteCaught(undefined);
    return { fails: met.kind === "fail", answered: met.kind === "hold" ? met.released : Promise.resolve() };
  }

  #find(match: string): Disturbance | undefined {
    return this.#active.find((one) => one.kind === "hold" && one.match === match);
  }

  #add(match: string, kind: Disturbance["kind"], left: number): void {
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
    const { promise: caught, resolve: noteCaught } = Promise.withResolvers<undefined>();
    this.#active.push({ match, kind, left, released, release, caught, noteCaught });
  }
}
