import {
  changeKeptLink,
  findKeptLink,
  findUnfinishedLink,
  forgetLink,
  keepLink,
  persistStorage,
} from "#app/lib/sealing/kept-links.client.ts";
import { hashPassword } from "#app/lib/sealing/password-hash.ts";
import type { SealingPorts } from "#engine/ports.ts";
import { AnsweringThread } from "./answering-thread.ts";

export const sealingPorts: SealingPorts = {
  startSealing: (signal) =>
    AnsweringThread.start(new Worker(new URL("./seal.worker.ts", import.meta.url), { type: "module" }), signal),
  hashPassword,
  links: {
    find: findKeptLink,
    findUnfinished: findUnfinishedLink,
    keep: async (link) => {
      if (await keepLink(link)) persistStorage();
    },
    change: changeKeptLink,
    forget: forgetLink,
  },
};
