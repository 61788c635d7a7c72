import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openAbout, openPicture } from "#domain/seal/pictures.ts";
import type { PictureKind } from "#domain/pictures/limits.ts";
import type { PictureInfo, RefusedPicture } from "#domain/wire.ts";
import { ApiError } from "#engine/api-error.ts";
import { PictureSender } from "#engine/pictures.ts";
import type { MadePicture } from "#engine/ports.ts";
import type { PictureToSend } from "#engine/upload-types.ts";
import { webpHeader } from "#test/support/pictures/webp.ts";
import { newSender } from "#test/support/seal/sealed-files.ts";
import { nodePorts } from "./node-ports.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

/** A file of any size that takes no memory. */
function fileOf(name: string, sizeBytes: number): File {
  return Object.defineProperty(new File([], name), "size", { value: sizeBytes });
}

const photographs = (count: number, sizeBytes = 5 * MIB) =>
  Array.from({ length: count }, (_, n) => fileOf(`${n}.jpg`, sizeBytes));

interface Asked {
  name: string;
  kind: PictureKind;
  answer(made: MadePicture | null): void;
}

const scenes: Scene[] = [];

/** A sender whose pictures the test makes, and whose forms the test answers. */
class Scene {
  readonly files: (File | null)[];
  known = 0;
  readonly asked: Asked[] = [];
  readonly forms: { pictures: readonly PictureToSend[]; answer: PromiseWithResolvers<RefusedPicture[]> }[] = [];
  readonly tiles: number[] = [];
  readonly warnings: string[] = [];
  waitsForFiles = false;
  /** The bytes of a picture that is made at once; null while the test makes them. */
  pictureBytes: number | null = 20 * KIB;
  answersForms = true;
  isOnline = true;
  readonly sender: PictureSender;

  constructor(files: (File | null)[], atOnce = 1) {
    this.files = files;
    this.known = files.length;
    scenes.push(this);
    const ports = nodePorts({
      sendPictures: async (downloadId, pictures, signal) => {
        expect(downloadId).toBe("link");
        const answer = Promise.withResolvers<RefusedPicture[]>();
        if (this.answersForms) answer.resolve([]);
        signal.addEventListener("abort", () => answer.reject(signal.reason));
        this.forms.push({ pictures, answer });
        return { stored: 0, refused: await answer.promise };
      },
    });
    this.sender = new PictureSender({
      ports: {
        ...ports,
        warn: (message) => this.warnings.push(message),
        pictures: {
          atOnce,
          make: (file, kind) => {
            const made = Promise.withResolvers<MadePicture | null>();
            this.asked.push({ name: file.name, kind, answer: made.resolve });
            if (this.pictureBytes !== null) made.resolve(pictureOf(this.pictureBytes));
            return made.promise;
          },
        },
      },
      count: () => this.known,
      fileOf: (n) => this.files[n] ?? null,
      uploadBytes: () => this.files.reduce((sum, file) => sum + (file?.size ?? 0), 0),
      waitsForFiles: () => this.waitsForFiles,
      onTile: (n) => this.tiles.push(n),
    });
  }

  /** What was sent, form by form. */
  get sent(): string[][] {
    return this.forms.map(({ pictures }) => pictures.map(({ n, kind }) => `${n}.${kind}`));
  }

  begin(): this {
    this.sender.begin("link", null);
    return this;
  }
}

function pictureOf(sizeBytes: number): MadePicture {
  const header = webpHeader(480, 320);
  const bytes = new Uint8Array(sizeBytes);
  bytes.set(header);
  // The length of the file stands in its header, without the first eight bytes.
  new DataView(bytes.buffer).setUint32(4, sizeBytes - 8, true);
  return { image: new Blob([bytes], { type: "image/webp" }), width: 480, height: 320 };
}

const numbers = (count: number, kind: PictureKind) => Array.from({ length: count }, (_, n) => `${n}.${kind}`);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(new DOMException("too late", "TimeoutError")), ms);
    return abort.signal;
  });
});
afterEach(() => {
  // Views of a later test would wait for the upload of this one.
  for (const { sender } of scenes.splice(0)) sender.stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Lets everything run that waits for no time. */
const settle = () => vi.advanceTimersByTimeAsync(0);

describe("tiles", () => {
  it("of all files come first, in their order, in forms of about 1 MB, and views when the upload is ready [PIC-30]", async () => {
    const scene = new Scene(photographs(120)).begin();
    await settle();
    // 52 times 20 KiB are the first that have 1 MiB.
    expect(scene.sent.map((form) => form.length)).toEqual([52, 52, 16]);
    expect(scene.sent.flat()).toEqual(numbers(120, "tile"));
    expect(scene.tiles).toEqual(Array.from({ length: 120 }, (_, n) => n));
    scene.pictureBytes = 300 * KIB;
    scene.sender.finishUpload();
    await settle();
    expect(scene.sent.slice(3).flat()).toEqual(numbers(120, "view"));
    expect(scene.sent.slice(3).map((form) => form.length)).toEqual(Array.from({ length: 30 }, () => 4));
  });

  it("are sent after a second, and one form at a time [PIC-31]", async () => {
    const scene = new Scene(photographs(5));
    scene.pictureBytes = null;
    scene.answersForms = false;
    scene.begin();
    const make = async () => {
      scene.asked.at(-1)?.answer(pictureOf(20 * KIB));
      await settle();
    };
    await settle();
    await make();
    await make();
    await vi.advanceTimersByTimeAsync(999);
    expect(scene.sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(scene.sent).toEqual([["0.tile", "1.tile"]]);
    await make();
    await vi.advanceTimersByTimeAsync(5000);
    await make();
    expect(scene.sent).toHaveLength(1);
    scene.forms[0]?.answer.resolve([]);
    await settle();
    expect(scene.sent.at(-1)).toEqual(["2.tile", "3.tile"]);
  });

  it("of files that are added later follow; files of other kinds, removed ones and those beyond 2,000 have none [PIC-30]", async () => {
    const scene = new Scene([...photographs(2), fileOf("a.txt", 9), fileOf("drawing.svg", 9), null]).begin();
    await settle();
    expect(scene.sent).toEqual([["0.tile", "1.tile"]]);
    scene.files.push(fileOf("IMG_1.CR2", 30 * MIB), fileOf("clip.mov", 90 * MIB), ...photographs(2100));
    scene.known = scene.files.length;
    scene.sender.update();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(scene.sent[1]?.slice(0, 2)).toEqual(["5.tile", "6.tile"]);
    expect(scene.sent.flat()).toHaveLength(2000);
  });

  it("take at most a 64th of the upload's bytes until it is ready [PIC-32]", async () => {
    // A 64th of 100 files of 400 KiB is 625 KiB: 31 tiles of 20 KiB, and none that might be larger than the rest.
    const scene = new Scene(photographs(100, 400 * KIB)).begin();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(scene.sent.flat()).toEqual(numbers(31, "tile"));
    scene.sender.finishUpload();
    await settle();
    expect(scene.sent.flat()).toEqual(numbers(100, "tile"));
  });

  it("are not made while the upload waits for its files [PIC-32]", async () => {
    const scene = new Scene(photographs(3));
    scene.waitsForFiles = true;
    scene.begin();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(scene.asked).toEqual([]);
    scene.waitsForFiles = false;
    await vi.advanceTimersByTimeAsync(100);
    expect(scene.asked).toHaveLength(3);
  });

  it("are sent once more when the server does not know their file yet, and at most three times [PIC-31]", async () => {
    const scene = new Scene(photographs(2));
    scene.answersForms = false;
    scene.begin();
    const refusal: RefusedPicture = { n: 1, kind: "tile", reason: "entry" };
    const damaged: RefusedPicture = { n: 0, kind: "tile", reason: "type" };
    for (let times = 1; times <= 3; times += 1) {
      await vi.advanceTimersByTimeAsync(2000);
      expect(scene.sent).toHaveLength(times);
      scene.forms.at(-1)?.answer.resolve([refusal, damaged]);
    }
    await vi.advanceTimersByTimeAsync(60_000);
    expect(scene.sent).toEqual([["0.tile", "1.tile"], ["1.tile"], ["1.tile"]]);
  });

  it("that the server has of an unfinished upload are only shown [PIC-30]", async () => {
    const scene = new Scene(photographs(3));
    const known = { width: 480, height: 320 };
    scene.sender.begin(
      "link",
      null,
      new Map<number, PictureInfo>([
        [0, known],
        [1, { ...known, view: true }],
      ]),
    );
    await settle();
    scene.sender.finishUpload();
    await settle();
    expect(scene.tiles).toEqual([0, 1, 2]);
    expect(scene.sent).toEqual([["2.tile"], ["0.view", "2.view"]]);
  });
});

describe("views", () => {
  it("are made of photographs above 1 MiB that have a tile, and not of videos [PIC-30]", async () => {
    const scene = new Scene([
      fileOf("a.jpg", MIB),
      fileOf("b.jpg", MIB + 1),
      fileOf("c.mp4", 90 * MIB),
      fileOf("d.jpg", 5 * MIB),
    ]);
    scene.pictureBytes = null;
    scene.begin();
    for (let n = 0; n < 4; n += 1) {
      await settle();
      scene.asked.at(-1)?.answer(n === 3 ? null : pictureOf(20 * KIB));
    }
    scene.sender.finishUpload();
    await settle();
    expect(scene.asked.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      "a.jpg tile",
      "b.jpg tile",
      "c.mp4 tile",
      "d.jpg tile",
      "b.jpg view",
    ]);
  });

  it("wait for a later upload [PIC-32]", async () => {
    const first = new Scene(photographs(2)).begin();
    const second = new Scene(photographs(1)).begin();
    first.sender.finishUpload();
    await settle();
    expect(first.sent).toEqual([["0.tile", "1.tile"]]);
    second.sender.finishUpload();
    await settle();
    expect(first.sent.flat()).toEqual(["0.tile", "1.tile", "0.view", "1.view"]);
  });
});

describe("pictures", () => {
  it("end for good when the server refuses them [PIC-31]", async () => {
    const scene = new Scene(photographs(300));
    scene.answersForms = false;
    scene.begin();
    await settle();
    scene.forms[0]?.answer.reject(new ApiError(403, "full", { code: "PLAN_LIMIT_EXCEEDED" }));
    await settle();
    const asked = scene.asked.length;
    scene.sender.finishUpload();
    await vi.advanceTimersByTimeAsync(600_000);
    expect([scene.forms.length, scene.asked.length]).toEqual([1, asked]);
  });

  it("are sent again after breaks of the network and silence [PIC-31]", async () => {
    const scene = new Scene(photographs(2));
    scene.answersForms = false;
    scene.begin();
    await settle();
    scene.forms[0]?.answer.reject(new TypeError("no connection"));
    await vi.advanceTimersByTimeAsync(1000);
    expect(scene.forms).toHaveLength(2);
    scene.forms[1]?.answer.reject(new ApiError(503, "overloaded"));
    await vi.advanceTimersByTimeAsync(2000);
    expect(scene.forms).toHaveLength(3);
    // The third gets no answer.
    await vi.advanceTimersByTimeAsync(60_000 + 4000);
    expect(scene.sent).toEqual(Array.from({ length: 4 }, () => ["0.tile", "1.tile"]));
  });

  it("stop when the upload is cancelled, also the one that is being made and the form that is being sent [PIC-31]", async () => {
    const scene = new Scene(photographs(60));
    scene.answersForms = false;
    scene.begin();
    await settle();
    expect(scene.forms).toHaveLength(1);
    scene.sender.stop();
    await vi.advanceTimersByTimeAsync(600_000);
    expect([scene.forms.length, scene.warnings.length]).toEqual([1, 0]);
  });

  it("of a file that was removed while they were made are not sent [PIC-31]", async () => {
    const scene = new Scene(photographs(2));
    scene.pictureBytes = null;
    scene.begin();
    await settle();
    scene.files[0] = null;
    scene.asked[0]?.answer(pictureOf(KIB));
    await settle();
    scene.asked[1]?.answer(pictureOf(KIB));
    await settle();
    expect([scene.tiles, scene.sent]).toEqual([[1], [["1.tile"]]]);
  });

  it("end without harm when they cannot be made at all [PIC-31]", async () => {
    const scene = new Scene(photographs(2));
    scene.sender.begin("link", null);
    scene.pictureBytes = null;
    await settle();
    expect(scene.warnings).toEqual([]);
    const broken = new PictureSender({
      ports: {
        ...nodePorts({ sendPictures: () => Promise.resolve({ stored: 0, refused: [] }) }),
        warn: (message) => scene.warnings.push(message),
        pictures: { atOnce: 2, make: () => Promise.reject(new TypeError("the thread did not start")) },
      },
      count: () => 2,
      fileOf: () => fileOf("a.jpg", 5 * MIB),
      uploadBytes: () => 10 * MIB,
      waitsForFiles: () => false,
      onTile: undefined,
    });
    broken.begin("link", null);
    await settle();
    expect(scene.warnings).toEqual(["Upload: no further pictures are made (TypeError: the thread did not start)."]);
  });

  it("are made two at a time where the machine has cores for it [PIC-32]", async () => {
    const scene = new Scene(photographs(5), 2);
    scene.pictureBytes = null;
    scene.begin();
    await settle();
    expect(scene.asked).toHaveLength(2);
    scene.asked[1]?.answer(pictureOf(KIB));
    await settle();
    expect(scene.asked.map(({ name }) => name)).toEqual(["0.jpg", "1.jpg", "2.jpg"]);
  });

  it("of a sealed upload are sealed for their file, with the facts about them [SEAL-43]", async () => {
    const { keys } = await newSender();
    const scene = new Scene(photographs(2));
    scene.sender.begin("link", keys);
    await vi.waitFor(() => {
      expect(scene.sent.flat()).toEqual(["0.tile", "1.tile"]);
    });
    const picture = scene.forms.flatMap(({ pictures }) => pictures).find(({ n }) => n === 1);
    const sealed = new Uint8Array((await picture?.image.arrayBuffer()) ?? new ArrayBuffer());
    expect((await openPicture(keys, 1, "tile", sealed)).image).toHaveLength(20 * KIB);
    expect(await openAbout(keys, 1, picture?.about ?? "")).toEqual({ width: 480, height: 320 });
    expect(picture?.seconds).toBeUndefined();
  });
});
