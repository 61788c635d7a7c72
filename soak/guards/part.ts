import type { SoakOptions } from "../in-tests.ts";
import { proveGuards } from "../guards.ts";
import { report } from "../report.ts";

const LINKS_AT_ONCE = 4;

/** The part `guards` of the soak. Writes its report. @returns whether the proof found no problem */
export async function guards(options: SoakOptions): Promise<boolean> {
  const result = await proveGuards({
    seed: Number(options.seed),
    kills: Number(options.count ?? "60"),
    links: LINKS_AT_ONCE,
    recipientsBeforeKill: [10, 60],
    log: console.log,
  });
  const text =
    "Recipients download from links with a download limit, most with a password too, a single file or a file of a " +
    "transfer: whole, in several ranges at once, or breaking off and going on. Some recipients leave for good, or " +
    "without the last byte. Owners raise and lower limits, change passwords and let links go on, while the whole " +
    "local runtime is killed (SIGKILL). While the runtime is down, the gates' clocks sometimes go on by minutes, an " +
    "hour or a day. At any moment, the downloads that a gate counts, those that it holds a place for, and those that " +
    "were broken off must be within the limit. A recipient who has a whole file, equal by SHA-256, is counted once, " +
    "unless a kill came before the report. Nobody else is counted, nobody gets bytes without a grant and a lease, and " +
    "at the end the counts in D1 are those of the gates.";
  await report("Guarded links", text, [
    ["seed", result.seed],
    ["kills", result.kills],
    ["hours that went by, summed up over links", result.hours.toFixed(0)],
    ["links", result.links],
    ["of them used up and closed", result.closedLinks],
    ["recipients", result.recipients],
    ["had a whole file and were counted", result.finished],
    ["had a whole file, and a kill lost the report", result.uncounted],
    ["further files of recipients that were counted", result.readAgain],
    ["left before the end", result.left],
    ["were turned away", result.turnedAway],
    ["responses that broke off", result.broken],
    ["responses that went on", result.resumed],
    ["requests for bytes without grant or lease, refused", result.refusals],
    ["changes by owners", result.ownersChanges],
    ["comparisons with a limit", result.looks],
    ["problems", result.problems.length],
  ]);
  return result.problems.length === 0;
}
