import { pngFile } from "./sample-files.ts";
import type { SealedShipment } from "./sealed-links.ts";

/** Five files and folders in four streams. */
export const TRIP: SealedShipment = {
  title: "Summer",
  message: "Have fun",
  streams: [
    [{ name: "trip/empty/", body: "" }],
    // Two files in one stream.
    [
      { name: "trip/route.txt", type: "text/plain", body: "Lisbon, then Porto" },
      { name: "trip/stops/first.txt", type: "text/plain", body: "Coimbra" },
    ],
    [{ name: "trip/beach.png", type: "image/png", body: pngFile(300, 200) }],
    [{ name: "trip/nothing.txt", type: "text/plain", body: "" }],
  ],
};
