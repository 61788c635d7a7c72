import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { servicesFor } from "#worker/services.ts";
import { applyRetention } from "#worker/sweep/retention.ts";
import { PENDING, UNKNOWN_CODE, ENDED_CODE } from "../support/device-answers.ts";
import { codePage, SigningIn } from "../support/device.ts";
import { makeKey } from "../support/v1.ts";
import { answerOf, Client, rowOf, runSql, signUp, stopClockAt } from "../support/worker.ts";

type Person = Awaited<ReturnType<typeof signUp>>;

const NOON = Date.UTC(2027, 0, 1, 12);
const MINUTE_MS = 60_000;

let person: Person;

beforeEach(async () => {
  stopClockAt(NOON);
  person = await signUp();
});

afterEach(() => {
  vi.useRealTimers();
});

const { look, approve, refuse } = codePage(() => person);

describe("a code", () => {
  it("may be typed in small letters, with spaces and any dash, or none", async () => {
    const { userCode } = await SigningIn.begin();
    const [first = "", second = ""] = userCode.toLowerCase().split("-");
    for (const typed of [`${first}${second}`, ` ${first} ${second}`, `${first}\u2013${second}`]) {
      expect((await look(typed))[0]).toBe(200);
    }
  });

  it.each(["", "BCDF", "BCDF-GHJ1", "AEIO-UBCD", "BCDF-GHJKL"])("is not %j", async (userCode) => {
    for (const call of [look, approve, refuse]) {
      expect(await call(userCode)).toMatchObject([
        400,
        {
          code: "BAD_REQUEST",
          field: "userCode",
          message: "userCode must be the eight letters that the program shows.",
        },
      ]);
    }
  });

  it("opens nothing without a session, also not with a key [DVC-5]", async () => {
    const program = await SigningIn.begin();
    const { key } = await makeKey(person);
    for (const call of ["", "/approve", "/refuse"]) {
      const init = { method: "POST", body: JSON.stringify({ userCode: program.userCode }) };
      const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
      const { status } = await new Client().fetch(`/api/auth/device${call}`, { ...init, headers });
      expect(status).toBe(401);
    }
    expect(await answerOf(program.poll())).toEqual(PENDING);
  });

  it("cannot be approved from another site [DVC-5]", async () => {
    const program = await SigningIn.begin();
    const { status } = await person.fetch("/api/auth/device/approve", {
      method: "POST",
      headers: { origin: "https://page.example", "content-type": "application/json" },
      body: JSON.stringify({ userCode: program.userCode }),
    });
    expect(status).toBe(403);
    expect(await answerOf(program.poll())).toEqual(PENDING);
  });
});

describe("the end of a code", () => {
  it("is told for an hour, and then its row is deleted", async () => {
    await runSql("delete from device_codes");
    const program = await SigningIn.begin();
    const services = servicesFor(env);
    const end = NOON + 10 * MINUTE_MS;
    await applyRetention(services, end + 60 * MINUTE_MS - 1);
    stopClockAt(end);
    expect(await look(program.userCode)).toEqual(ENDED_CODE);
    await applyRetention(services, end + 60 * MINUTE_MS);
    expect(await look(program.userCode)).toEqual(UNKNOWN_CODE);
    expect(await rowOf("select count(*) as n from device_codes")).toEqual({ n: 0 });
  });
});
