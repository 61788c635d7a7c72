import { Upload } from "tus-js-client";

/** Uploads bytes with tus-js-client and its defaults. @returns the address of the upload */
export function uploadTus(endpoint, bytes) {
  return new Promise((resolve, reject) => {
    const upload = new Upload(bytes, { endpoint, onError: reject, onSuccess: () => resolve(upload.url) });
    upload.start();
  });
}
