import { describe, expect, it, vi } from "vitest";
import { EntryList } from "#app/features/download/transfer/entry-list.ts";
import type { EntryState, ListedEntries } from "#domain/wire.ts";

/** As the server lists them. @param numbers of the entries @param total of the whole list */
function listed(numbers: number[], total: number, state: EntryState = "stored"): ListedEntries {
  const entries = numbers.map((n) => ({ n, path: `${n}.txt`, size: 1, modifiedAt: "", type: "text/plain", state }));
  return { entries, total };
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);
const numbersOf = (list: EntryList) => list.snapshot().entries.map(({ n }) => n);

/** A list of 1,200 entries, of which the page brought a hundred. */
function longList(
  fetchEntries = (from: number) => Promise.resolve(listed(range(from, Math.min(from + 500, 1200)), 1200)),
) {
  const fetched = vi.fn(fetchEntries);
  return { list: new EntryList(listed(range(0, 100), 1200), null, fetched), fetched };
}

describe("a list that is loaded in parts", () => {
  it("loads what follows, once at a time, until it is complete", async () => {
    const { list, fetched } = longList();
    await Promise.all([list.loadMore(), list.loadMore()]);
    expect(fetched.mock.calls).toEqual([[100]]);
    expect(list.snapshot()).toMatchObject({ isComplete: false });
    await list.loadAll();
    expect(fetched.mock.calls).toEqual([[100], [600], [1100]]);
    expect(numbersOf(list)).toEqual(range(0, 1200));
    expect(list.snapshot()).toMatchObject({ isComplete: true });
    await list.loadMore();
    expect(fetched).toHaveBeenCalledTimes(3);
  });

  it("goes on after the last number, when entries before it were removed", async () => {
    const fetched = vi.fn(() => Promise.resolve(listed([], 2)));
    const list = new EntryList(listed([4, 9], 3), null, fetched);
    await list.loadMore();
    expect(fetched.mock.calls).toEqual([[10]]);
  });

  it("leaves out removed entries, which the server shows to their owner", async () => {
    const list = new EntryList(listed([0], 3), null, () => Promise.resolve(listed([1, 2], 3, "removed")));
    await list.loadAll();
    expect(numbersOf(list)).toEqual([0]);
  });

  it("calls again after a failure", async () => {
    vi.useFakeTimers();
    let calls = 0;
    const list = new EntryList(listed([0], 2), null, () =>
      calls++ === 0 ? Promise.reject(new Error("offline")) : Promise.resolve(listed([1], 2)),
    );
    const loading = list.loadMore();
    await vi.advanceTimersByTimeAsync(2000);
    await loading;
    vi.useRealTimers();
    expect(numbersOf(list)).toEqual([0, 1]);
  });

  it("does not call again after it was closed", async () => {
    vi.useFakeTimers();
    const fetched = vi.fn(() => Promise.reject(new Error("offline")));
    const list = new EntryList(listed([0], 2), null, fetched);
    const close = list.open();
    const loading = list.loadMore();
    await vi.advanceTimersByTimeAsync(1000);
    close();
    await loading;
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
    expect(fetched).toHaveBeenCalledTimes(1);
  });

  it("is read again as far as it was loaded, and then replaced", async () => {
    const { list, fetched } = longList();
    await list.loadMore();
    fetched.mockImplementation((from) =>
      Promise.resolve(
        listed(
          range(from, from + 500).filter((n) => n !== 300),
          1198,
        ),
      ),
    );
    await list.refresh(listed(range(1, 101), 1198), null);
    expect(numbersOf(list).slice(0, 2)).toEqual([1, 2]);
    expect(numbersOf(list)).not.toContain(300);
    expect(numbersOf(list)).toContain(599);
  });
});

describe("a list that is being uploaded", () => {
  const uploading = () => {
    const list = new EntryList(listed([0, 1, 2], 3, "waiting"), [[0, 1]], () =>
      Promise.resolve(listed([3], 4, "waiting")),
    );
    const states = () => list.snapshot().entries.map((entry) => list.stateOf(entry));
    return { list, states };
  };

  it("knows what has arrived, and what is being sent", () => {
    const { list, states } = uploading();
    expect(states()).toEqual(["stored", "waiting", "waiting"]);
    const { version } = list.snapshot();
    list.hear([], [[2, 40]]);
    expect(states()).toEqual(["stored", "waiting", "arriving"]);
    expect([list.percentOf(2), list.percentOf(1)]).toEqual([40, null]);
    list.hear([[1, 2]], null);
    expect(states()).toEqual(["stored", "stored", "stored"]);
    expect(list.snapshot().version).toBeGreaterThan(version);
  });

  it("loads on when it hears of an entry that it does not know, once", async () => {
    const fetched = vi.fn((from: number) => Promise.resolve(listed(from === 0 ? [0, 1] : [], 2, "waiting")));
    const list = new EntryList(listed([], 0), [], fetched);
    expect(list.snapshot().isComplete).toBe(true);
    list.hear([], [[1, 10]]);
    await vi.waitFor(() => {
      expect(numbersOf(list)).toEqual([0, 1]);
    });
    list.hear([[5, 1]], null);
    list.hear([[5, 1]], null);
    await vi.waitFor(() => {
      expect(list.snapshot().isComplete).toBe(true);
    });
    list.hear([[5, 1]], null);
    expect(fetched.mock.calls).toEqual([[0], [2]]);
  });

  it("shows a file once that was removed and sent anew under another number", async () => {
    const again = { ...listed([3], 3, "waiting") };
    const list = new EntryList(listed([0, 1, 2], 3, "waiting"), [], () =>
      Promise.resolve({ ...again, entries: again.entries.map((entry) => ({ ...entry, path: "1.txt" })) }),
    );
    list.hear([], [[3, 10]]);
    await vi.waitFor(() => {
      expect(numbersOf(list)).toEqual([0, 2, 3]);
    });
  });

  it("is not read again when the page was loaded anew and nothing was added or removed", async () => {
    const fetched = vi.fn((from: number) =>
      Promise.resolve(listed(range(from, Math.min(from + 500, 700)), 700, "waiting")),
    );
    const list = new EntryList(listed(range(0, 100), 700, "waiting"), [], fetched);
    await list.loadAll();
    fetched.mockClear();
    await list.refresh(listed(range(0, 100), 700, "waiting"), [[0, 50]]);
    expect(fetched).not.toHaveBeenCalled();
    expect(numbersOf(list)).toEqual(range(0, 700));
    expect(list.snapshot().entries.filter((entry) => list.stateOf(entry) === "stored")).toHaveLength(50);
    await list.refresh(listed(range(1, 101), 699, "waiting"), []);
    expect(fetched.mock.calls).toEqual([[101], [601]]);
    expect(numbersOf(list)).toEqual(range(1, 700));
  });

  it("keeps what was added while the page was loaded anew", async () => {
    const fetched = vi.fn((from: number) => Promise.resolve(listed(range(from, 5), 5, "waiting")));
    const list = new EntryList(listed([0, 1, 2], 3, "waiting"), [], fetched);
    list.hear([], [[4, 10]]);
    await vi.waitFor(() => {
      expect(numbersOf(list)).toEqual([0, 1, 2, 3, 4]);
    });
    await list.refresh(listed([0, 2], 2, "waiting"), []);
    expect(numbersOf(list)).toEqual([0, 2, 3, 4]);
  });

  it("has everything once it is ready", async () => {
    const { list, states } = uploading();
    await list.refresh(listed([0, 2], 2), null);
    expect(states()).toEqual(["stored", "stored"]);
  });
});

describe("the pictures of a list", () => {
  const tile = (width: number, height: number) => ({ width, height });
  const withPictures = (from: number, to: number, total: number): ListedEntries => {
    const list = listed(range(from, to), total);
    return { ...list, entries: list.entries.map((entry) => ({ ...entry, picture: tile(100 + entry.n, 50) })) };
  };

  it("come with the page, with what is loaded later, and with messages", async () => {
    const list = new EntryList(withPictures(0, 1, 3), null, () => Promise.resolve(withPictures(1, 2, 3)));
    expect(list.pictureOf(0)).toEqual({ width: 100, height: 50, hasView: false });
    expect(list.pictureOf(1)).toBeNull();
    await list.loadMore();
    expect(list.pictureOf(1)).toEqual({ width: 101, height: 50, hasView: false });
    const before = list.snapshot();
    list.hearPictures([[2, { width: 480, height: 320, seconds: 12, view: true }]]);
    expect(list.pictureOf(2)).toEqual({ width: 480, height: 320, seconds: 12, hasView: true });
    expect(list.snapshot().version).toBeGreaterThan(before.version);
    expect(list.snapshot().entries).toBe(before.entries);
  });

  it("of a sealed link are opened once, and the page hears of all of them at once", async () => {
    const opened = vi.fn((n: number, about: string) =>
      Promise.resolve(about === "damaged" ? null : { width: n, height: 9, seconds: 3 }),
    );
    const list = new EntryList(listed([0, 1, 2], 3), [], () => Promise.reject(new Error("not called")), opened);
    const versions: number[] = [];
    list.subscribe(() => versions.push(list.snapshot().version));
    list.hearPictures([
      [1, { about: "one" }],
      [2, { about: "damaged" }],
    ]);
    await vi.waitFor(() => expect(list.pictureOf(1)).toEqual({ width: 1, height: 9, seconds: 3, hasView: false }));
    expect(list.pictureOf(2)).toBeNull();
    expect(versions).toHaveLength(1);
    list.hearPictures([[1, { about: "one", view: true }]]);
    expect(list.pictureOf(1)).toEqual({ width: 1, height: 9, seconds: 3, hasView: true });
    expect(opened).toHaveBeenCalledTimes(2);
  });

  it("are read again when more are stored than the page knows, and only then", async () => {
    let answer = listed(range(0, 500), 600);
    const rest = (from: number) => listed(range(from, Math.min(from + 500, 600)), 600);
    const fetched = vi.fn((from: number) => Promise.resolve(from === 0 ? answer : rest(from)));
    const list = new EntryList(listed(range(0, 100), 600), [], fetched);
    await list.loadAll();
    fetched.mockClear();
    await list.expectPictures(0);
    expect(fetched).not.toHaveBeenCalled();
    answer = withPictures(0, 500, 600);
    await list.expectPictures(500);
    expect(fetched.mock.calls).toEqual([[0], [500]]);
    expect(list.pictureOf(499)).toEqual({ width: 599, height: 50, hasView: false });
    await list.expectPictures(500);
    expect(fetched).toHaveBeenCalledTimes(2);
    expect(numbersOf(list)).toEqual(range(0, 600));
  });
});
