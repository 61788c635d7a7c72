import type { StorePicturesAnswer } from "#domain/wire.ts";
import type { Client } from "./worker.ts";

/** A form as a browser sends it. @param fields bytes of `{n}.tile` and `{n}.view`, and texts */
function pictureForm(fields: Record<string, Uint8Array<ArrayBuffer> | string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === "string") form.set(name, value);
    else form.set(name, new Blob([value], { type: "image/webp" }), `${name}.webp`);
  }
  return form;
}

/** Sends pictures of a link's files. */
export function sendPictures(
  sender: Client,
  downloadId: string,
  fields: Record<string, Uint8Array<ArrayBuffer> | string>,
): Promise<Response> {
  return sender.postForm(`/api/pictures/${downloadId}`, pictureForm(fields));
}

/** @throws Error when the call is rejected */
export async function storePictures(
  sender: Client,
  downloadId: string,
  fields: Record<string, Uint8Array<ArrayBuffer> | string>,
): Promise<StorePicturesAnswer> {
  const response = await sendPictures(sender, downloadId, fields);
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response.json();
}
