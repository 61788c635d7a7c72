import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { queryLocally } from "../local-query.ts";

export interface DemoLink {
  /** The id of the link's row in `files`. */
  id: string;
  /** The link, with the key of an encrypted link, which the server does not know. */
  link: string;
}

/** The links that the demo has sent, by their names, in a file beside the local data. */
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
    // The links may have been sent while the copy had another port.
    const here = ({ id, link }: DemoLink) => ({ id, link: link.replace(new URL(link).origin, origin) });
    this.#links = Object.fromEntries(links.map(([name, sent]) => [name, here(sent)]));
  }

  /** @throws Error for a link that was not sent */
  get(name: string): DemoLink {
    const found = this.#links[name];
    if (!found) throw new Error(`the demo has no link "${name}"`);
    return found;
  }

  /**
   * Sends a link that is missing.
   * @param condition SQL on the link's row, true while the link is in the state that the demo shows
   * @returns whether the link was sent now
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

/** SQL on a row of `files`, true while anybody can download the link. */
export const LIVE = `status = 'ready' and deleted_at is null and (expires_at is null or expires_at > unixepoch() * 1000)`;
/** SQL that is true for every link that was ever sent, whatever became of it. */
export const SENT = "1";
