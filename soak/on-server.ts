import { prepareServer, type LocalServer } from "../scripts/local-server.ts";

/**
 * Runs a proof on a local server of its own, which is stopped after the proof. The server's files are kept if the proof
 * fails or finds problems.
 */
export async function onServer<Result extends { problems: readonly string[] }>(
  log: (line: string) => void,
  prove: (server: LocalServer) => Promise<Result>,
): Promise<Result> {
  const server = await prepareServer();
  const interrupted = () => {
    void server.kill().finally(() => process.exit(1));
  };
  process.once("SIGINT", interrupted).once("SIGTERM", interrupted);
  let isSound = false;
  try {
    await server.start();
    const result = await prove(server);
    isSound = result.problems.length === 0;
    return result;
  } finally {
    process.off("SIGINT", interrupted).off("SIGTERM", interrupted);
    await (isSound ? server.stop() : server.kill());
    if (!isSound) log(`What the server wrote is kept in ${server.folder}`);
  }
}
