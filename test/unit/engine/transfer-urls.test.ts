import { expect, it } from "vitest";
import { UploadError } from "#engine/errors.ts";
import { ObjectUrls, type ObjectPart } from "#engine/transfer/object-parts.ts";

/** URLs of objects that are being sent. */
function urlsOf(...objects: number[]) {
  const asked: ObjectPart[] = [];
  const sending = new Map(objects.map((object) => [object, { isOpened: true }]));
  const urls = new ObjectUrls(
    (wanted) => asked.push(wanted),
    (object) => sending.get(object),
    () => undefined,
  );
  const end = (object: number) => {
    sending.delete(object);
    urls.cancel(object);
  };
  return { urls, asked, sending, end };
}

const signed = (object: number, part: number) => ({ object, part, url: `${object}/${part}` });

it("URLs are asked for once, and come with the answer", async () => {
  const { urls, asked } = urlsOf(0);
  const waiting = [urls.get({ object: 0, part: 1 }), urls.get({ object: 0, part: 1 })];
  expect(asked).toEqual([{ object: 0, part: 1 }]);
  urls.addAnswer([{ object: 0, parts: [1] }], { opened: [], urls: [signed(0, 1)] });
  expect(await Promise.all(waiting)).toEqual(["0/1", "0/1"]);
  expect(urls.has({ object: 0, part: 1 })).toBe(true);
});

it("URLs of an object that the server is opening are asked for when its answer had no room for them", async () => {
  const { urls, asked, sending } = urlsOf();
  sending.set(0, { isOpened: false });
  const waiting = urls.get({ object: 0, part: 2 });
  expect(asked).toEqual([]);
  urls.addAnswer([], { opened: [{ object: 0, partSizeBytes: 8, partCount: 2 }], urls: [signed(0, 1)] });
  expect(asked).toEqual([{ object: 0, part: 2 }]);
  urls.addAnswer([{ object: 0, parts: [2] }], { opened: [], urls: [signed(0, 2)] });
  expect(await waiting).toBe("0/2");
});

it("a URL that the server does not give fails whoever waits for it", async () => {
  const { urls } = urlsOf(0);
  const waiting = expect(urls.get({ object: 0, part: 1 })).rejects.toBeInstanceOf(UploadError);
  urls.addAnswer([{ object: 0, parts: [1] }], { opened: [], urls: [] });
  await waiting;
});

it("URLs of an object that has ended are forgotten, also those that come later", async () => {
  const { urls, end } = urlsOf(0, 1);
  urls.addAnswer([], { opened: [], urls: [signed(0, 1), signed(1, 1)] });
  const waiting = expect(urls.get({ object: 0, part: 2 })).rejects.toBeInstanceOf(UploadError);
  end(0);
  await waiting;
  urls.addAnswer([], { opened: [], urls: [signed(0, 2)] });
  const kept = [signed(0, 1), signed(0, 2), signed(1, 1)].filter((part) => urls.has(part));
  expect(kept).toEqual([signed(1, 1)]);
  await expect(urls.get({ object: 0, part: 1 })).rejects.toBeInstanceOf(UploadError);
});
