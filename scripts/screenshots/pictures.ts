export const PICTURE_FOLDER = "docs/pictures";

/** The sizes of pictures in CSS pixels, with one device pixel for each. */
export const SIZES = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 390, height: 780 },
} as const;
export type Size = keyof typeof SIZES;

export const THEMES = ["light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** The pictures, each with its sizes. `why` is for the README: the sender's page, and with it a recipient's page. */
export const PICTURES = {
  why: ["desktop"],
  home: ["desktop", "phone"],
  protection: ["phone"],
  transfer: ["desktop", "phone"],
  locked: ["phone"],
  dashboard: ["desktop", "phone"],
  request: ["desktop", "phone"],
  received: ["desktop", "phone"],
  developers: ["desktop"],
  overview: ["desktop"],
} as const satisfies Record<string, readonly Size[]>;
export type Picture = keyof typeof PICTURES;

/** The name of a file says page, size and theme. */
export function pictureName(picture: string, size: Size, theme: Theme): string {
  return `${picture}-${size}-${theme}.png`;
}

/** All files that `npm run screenshots` writes. */
export function pictureNames(): string[] {
  return Object.entries(PICTURES).flatMap(([picture, sizes]) =>
    sizes.flatMap((size) => THEMES.map((theme) => pictureName(picture, size, theme))),
  );
}
