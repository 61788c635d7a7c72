import type { Page } from "playwright-core";
import { fromBase64 } from "#domain/bytes-as-text.ts";

/**
 * Draws something like a photograph of 12 megapixels: soft colours, many edges, and the grain of a sensor, so that it
 * takes about 5 MB and small pictures of it compress as those of photographs do.
 * @param page of a secure origin, without a content security policy @param seed another one draws another photograph
 */
export async function drawPhotograph(page: Page, seed: number): Promise<Uint8Array> {
  const text = await page.evaluate(async (first) => {
    const [width, height] = [4000, 3000];
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext("2d");
    if (!context) throw new Error("no canvas");
    let state = first;
    const random = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
    const sky = context.createLinearGradient(0, 0, 0, height);
    sky.addColorStop(0, `hsl(${200 + 40 * random()} 60% 55%)`);
    sky.addColorStop(1, `hsl(${30 + 40 * random()} 50% 70%)`);
    context.fillStyle = sky;
    context.fillRect(0, 0, width, height);
    // Leaves, stones, windows: edges of many sizes.
    for (let shape = 0; shape < 12_000; shape += 1) {
      const size = 6 + 160 * random() ** 4;
      context.fillStyle = `hsl(${360 * random()} ${20 + 40 * random()}% ${15 + 70 * random()}% / 0.6)`;
      context.beginPath();
      context.ellipse(
        width * random(),
        height * (0.3 + 0.7 * random()),
        size,
        size * (0.3 + random()),
        3 * random(),
        0,
        7,
      );
      context.fill();
    }
    const image = context.getImageData(0, 0, width, height);
    for (let at = 0; at < image.data.length; at += 4) {
      const grain = 34 * (random() - 0.5);
      for (let channel = at; channel < at + 3; channel += 1) image.data[channel] = (image.data[channel] ?? 0) + grain;
    }
    context.putImageData(image, 0, 0);
    const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: 0.9 });
    return new Promise<string>((resolve) => {
      const reader = new FileReader();
      reader.onload = () => resolve(typeof reader.result === "string" ? reader.result : "");
      reader.readAsDataURL(blob);
    });
  }, seed);
  return fromBase64(text.slice(text.indexOf(",") + 1));
}
