import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { queryLocally } from "../local-query.ts";

export interface DemoLink {
  /** Of the row. */
  id: string;
  /** With the key of an encrypted link, which the server does not know. */
  link: string;
}

/** What the demo has sent, by the names of the links, in a file beside the local data. */
export class DemoLinks {
  readonly #path: string;
  readonly #origin: string;
  readonly #links: Record<string, DemoLink>;

  /** @param folder of the local data */
  constructor(folder: string, origin: string) {
    this.#path = join(folder, "demo-links.json");
    this.#origin = origin;
    const text = existsSync(this.#path) ? readFileSync(this.#path, "utf8") : "{}";
    const links = Object.entries(JSON.parse(text) as Record<string, DemoLink>);
    // They may have been sent while the copy had another port.
    const here = ({ id, link }: DemoLink) => ({ id, link: link.replace(new URL(link).origin, origin) });
    this.#links = Object.fromEntries(links.map(([name, sent]) => [name, here(sent)]));
  }

  /** @throws Error for one that was not sent */
  get(name: string): DemoLink {
    const found = this.#links[name];
    if (!found) throw new Error(`the demo has no link "${name}"`);
    return found;
  }

  /**
   * Sends what is missing.
   * @param condition SQL on its row, which holds while the link is what the demo shows
   * @returns whether it was sent now
   */
  async ensure(name: string, condition: string, send: () => Promise<DemoLink>): Promise<boolean> {
    const known = this.#links[name];
    if (known) {
      const rows = await queryLocally(`select 1 from files where id = '${known.id}' and (${condition})`, this.#origin);
      if (rows.length > 0) return false;
    }
    this.#links[name] = await send();
    writeFileSync(this.#path, JSON.stringify(this.#links, null, 2));
    return true;
  }
}

/** SQL on a row of `files`: anybody can still download it. */
export const LIVE = `status = 'ready' and deleted_at is null and (expires_at is null or expires_at > unixepoch() * 1000)`;
/** It was sent once, whatever became of it. */
export const SENT = "1";
