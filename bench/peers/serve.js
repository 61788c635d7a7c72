import console from "node:console";
import { createServer } from "node:http";
import process, { argv } from "node:process";
import { FileStore } from "@tus/file-store";
import { Server } from "@tus/server";
import S3rver from "s3rver";

/** Runs another file server in a process, with its defaults: `node serve.js tus|s3rver PORT FOLDER`. */
const [, , name, port, folder] = argv;

const start = {
  tus: () => {
    const tus = new Server({ path: "/files", datastore: new FileStore({ directory: folder }) });
    const server = createServer((request, response) => void tus.handle(request, response));
    return new Promise((listening) => server.listen(Number(port), "localhost", listening));
  },
  s3rver: () =>
    new S3rver({
      port: Number(port),
      address: "localhost",
      silent: true,
      directory: folder,
      configureBuckets: [{ name: "bench" }],
    }).run(),
};

/**
 * When a reader leaves with the last byte, Node closes the body of @tus/server's answer twice. The server is measured
 * all the same.
 */
const isClosedTwice = ({ code, message }) => code === "ERR_INVALID_STATE" && message.endsWith("is already closed");

process.on("uncaughtException", (error) => {
  if (name === "tus" && isClosedTwice(error)) return;
  console.error(error);
  process.exit(1);
});
await start[name]();
process.send?.("ready");
