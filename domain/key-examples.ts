import { PRODUCT_NAME } from "./brand.ts";

/** @param origin of the site @param key an API key with the scope `upload` @returns a shell command to send a file */
export function curlLine(origin: string, key: string): string {
  return `curl -u :${key} -T report.pdf ${origin}/`;
}

/** A shell command like that of `curlLine`, with the site's own command line program. */
export function cliLine(origin: string, key: string): string {
  return `MAYFLY_URL=${origin} MAYFLY_KEY=${key} mayfly send report.pdf`;
}

/** A custom uploader of ShareX (https://getsharex.com/docs/custom-uploader). */
interface ShareXConfig {
  Version: string;
  Name: string;
  DestinationType: string;
  RequestMethod: "PUT";
  RequestURL: string;
  Headers: { Authorization: string };
  Body: "Binary";
  URL: string;
  DeletionURL: string;
  ErrorMessage: string;
}

/**
 * The JSON of a `.sxcu` file. ShareX replaces the placeholders in braces, from version 15 on.
 * @param origin of the site, without a slash at its end @param key an API key with the scope `upload`
 */
export function sharexConfig(origin: string, key: string): ShareXConfig {
  return {
    Version: "15.0.0",
    Name: `${PRODUCT_NAME} (${new URL(origin).host})`,
    DestinationType: "ImageUploader, TextUploader, FileUploader",
    RequestMethod: "PUT",
    RequestURL: `${origin}/{filename}`,
    Headers: { Authorization: `Bearer ${key}` },
    Body: "Binary",
    URL: "{response}",
    DeletionURL: "{header:X-Url-Delete}",
    ErrorMessage: "{response}",
  };
}
