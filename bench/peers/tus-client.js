import { Upload } from "tus-js-client";

/** Uploads bytes as tus-js-client does of itself. @returns where they are */
export function uploadTus(endpoint, bytes) {
  return new Promise((resolve, reject) => {
    const upload = new Upload(bytes, { endpoint, onError: reject, onSuccess: () => resolve(upload.url) });
    upload.start();
  });
}
