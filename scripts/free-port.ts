import { once } from "node:events";
import { createServer } from "node:net";

/** A port nobody listens on, low enough that the inspector's port, which lies above it, is one too. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 30_000);
    const probe = createServer();
    const free = await new Promise<boolean>((settle) => {
      probe.once("error", () => {
        settle(false);
      });
      probe.listen(port, () => {
        settle(true);
      });
    });
    if (!free) continue;
    probe.close();
    await once(probe, "close");
    return port;
  }
}
