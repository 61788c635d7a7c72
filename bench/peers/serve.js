import { createServer } from "node:http";
import process, { argv } from "node:process";
import { FileStore } from "@tus/file-store";
import { Server } from "@tus/server";
import S3rver from "s3rver";

/** Runs one peer in a process of its own, as it comes: `node serve.js tus|s3rver PORT FOLDER`. */
const [, , name, port, folder] = argv;

const start = {
  tus: () => {
    const tus = new Server({ path: "/files", datastore: new FileStore({ directory: folder }) });
    return new Promise((listening) => createServer(tus.handle.bind(tus)).listen(Number(port), "localhost", listening));
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

// @tus/server falls over a reader that leaves with the last byte; it is measured all the same.
process.on("uncaughtException", () => undefined);
await start[name]();
process.send?.("ready");
