import { SIZES, type Theme } from "./pictures.ts";

const COLOURS: Record<Theme, { ground: string; line: string; shadow: string }> = {
  light: { ground: "#e7e4d8", line: "#cfcbbb", shadow: "rgb(19 33 31 / .28)" },
  dark: { ground: "#05100e", line: "#2c3d39", shadow: "rgb(0 0 0 / .6)" },
};

/** A page that shows a sender's screen, and in front of it a recipient's phone. @returns HTML */
export function whyPage(desktop: Buffer, phone: Buffer, theme: Theme): string {
  const { ground, line, shadow } = COLOURS[theme];
  const source = (png: Buffer) => `data:image/png;base64,${png.toString("base64")}`;
  return `<!doctype html>
<style>
  body { margin: 0; background: ${ground}; height: 722px; position: relative; overflow: hidden }
  img { position: absolute; border: 1px solid ${line}; box-shadow: 0 24px 60px -18px ${shadow} }
  .desktop { left: 36px; top: 36px; width: 1040px; border-radius: 14px }
  .phone { right: 36px; bottom: 36px; width: 312px; border-radius: 34px; border-width: 5px }
</style>
<img class="desktop" src="${source(desktop)}" width="${SIZES.desktop.width}">
<img class="phone" src="${source(phone)}" width="${SIZES.phone.width}">`;
}
