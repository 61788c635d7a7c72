import { createCipheriv, createHash } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";

/** The files of the demo, drawn and written here so that the repository carries none, and the same at each run. */

type Colour = readonly [red: number, green: number, blue: number];

export interface Scene {
  sky: readonly [top: Colour, bottom: Colour];
  sun: { colour: Colour; x: number; y: number; radius: number };
  /** The colours of the hills, from the farthest to the nearest hill. */
  hills: readonly Colour[];
  seed: number;
}

const SUNSET: Scene["sky"] = [
  [38, 52, 94],
  [244, 178, 106],
];
const MORNING: Scene["sky"] = [
  [126, 176, 214],
  [250, 232, 202],
];
const NIGHT: Scene["sky"] = [
  [10, 20, 42],
  [46, 72, 104],
];
const REEDS: Colour[] = [
  [122, 142, 132],
  [58, 104, 92],
  [14, 62, 54],
];
const DUSK: Colour[] = [
  [150, 108, 112],
  [92, 66, 92],
  [38, 34, 62],
];

/** Pictures of one evening at a river, by file name. */
export const SCENES: Readonly<Record<string, Scene>> = {
  "01 Morning at the river.png": {
    sky: MORNING,
    sun: { colour: [255, 244, 214], x: 0.7, y: 0.34, radius: 0.07 },
    hills: REEDS,
    seed: 3,
  },
  "02 The bridge.png": {
    sky: MORNING,
    sun: { colour: [255, 240, 200], x: 0.24, y: 0.26, radius: 0.06 },
    hills: REEDS,
    seed: 8,
  },
  "03 Before the rain.png": {
    sky: NIGHT,
    sun: { colour: [206, 214, 220], x: 0.5, y: 0.3, radius: 0.05 },
    hills: DUSK,
    seed: 14,
  },
  "04 Golden hour.png": {
    sky: SUNSET,
    sun: { colour: [255, 226, 160], x: 0.36, y: 0.52, radius: 0.11 },
    hills: DUSK,
    seed: 21,
  },
  "05 Last light.png": {
    sky: SUNSET,
    sun: { colour: [255, 204, 128], x: 0.62, y: 0.6, radius: 0.09 },
    hills: REEDS,
    seed: 34,
  },
  "06 Moon over the reeds.png": {
    sky: NIGHT,
    sun: { colour: [240, 240, 226], x: 0.74, y: 0.24, radius: 0.045 },
    hills: REEDS,
    seed: 55,
  },
};

const WIDTH = 1280;
const HEIGHT = 800;

/** Draws hills under a sky. @returns a PNG */
export function drawScene({ sky, sun, hills, seed }: Scene): Uint8Array<ArrayBuffer> {
  const ridges = hills.map((_, layer) =>
    Array.from({ length: WIDTH }, (__, x) => {
      const at = (x / WIDTH) * Math.PI * 2;
      const wave = Math.sin(at * (1 + layer) + seed) * 0.5 + Math.sin(at * (2.3 + layer) + seed * 1.7) * 0.3;
      return HEIGHT * (0.56 + layer * 0.14 + wave * 0.06);
    }),
  );
  // Without grain, the file of this picture would be smaller than any that a camera writes.
  const grain = noise(`grain ${seed}`, WIDTH * HEIGHT);
  const rows: Uint8Array[] = [];
  for (let y = 0; y < HEIGHT; y += 1) {
    const row = new Uint8Array(1 + WIDTH * 3);
    for (let x = 0; x < WIDTH; x += 1) {
      const layer = hills.findLastIndex((_, index) => y >= (ridges[index]?.[x] ?? HEIGHT));
      const light = ((grain[y * WIDTH + x] ?? 0) & 7) - 4;
      const colour = hills[layer] ?? skyAt(x, y, sky, sun);
      for (let channel = 0; channel < 3; channel += 1) {
        row[1 + x * 3 + channel] = Math.max(0, Math.min(255, (colour[channel] ?? 0) + light));
      }
    }
    rows.push(row);
  }
  const header = new Uint8Array(13);
  new DataView(header.buffer).setUint32(0, WIDTH);
  new DataView(header.buffer).setUint32(4, HEIGHT);
  // Eight bits a channel, RGB.
  header.set([8, 2], 8);
  return joined([
    new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk("IHDR", header),
    pngChunk("IDAT", deflateSync(joined(rows), { level: 1 })),
    pngChunk("IEND", new Uint8Array()),
  ]);
}

function skyAt(x: number, y: number, [top, bottom]: Scene["sky"], sun: Scene["sun"]): number[] {
  const depth = Math.min(1, y / (HEIGHT * 0.7));
  const distance = Math.hypot(x - sun.x * WIDTH, y - sun.y * HEIGHT) / HEIGHT;
  const glow = distance < sun.radius ? 1 : Math.max(0, 0.5 - (distance - sun.radius) * 1.6) ** 2;
  return top.map((channel, index) => {
    const plain = channel + ((bottom[index] ?? 0) - channel) * depth;
    return Math.round(plain + ((sun.colour[index] ?? 0) - plain) * glow);
  });
}

function pngChunk(type: string, data: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(12 + data.length);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, data.length);
  chunk.set(new TextEncoder().encode(type), 4);
  chunk.set(data, 8);
  view.setUint32(8 + data.length, crc32(chunk.subarray(4, 8 + data.length)));
  return chunk;
}

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const piece of pieces) {
    whole.set(piece, end);
    end += piece.length;
  }
  return whole;
}

/** A page of text. @param lines the heading, then the page's lines; ASCII without parentheses @returns a PDF */
export function writePdf([heading = "", ...lines]: readonly string[]): Uint8Array<ArrayBuffer> {
  const text = [
    `BT /F2 22 Tf 64 760 Td (${heading}) Tj ET`,
    ...lines.map((line, index) => `BT /F1 12 Tf 64 ${718 - index * 20} Td (${line}) Tj ET`),
  ].join("\n");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>",
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>",
  ];
  let pdf = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = pdf.length;
    pdf += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const end = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${pdf.length}\n%%EOF\n`;
  return new TextEncoder().encode(`${pdf}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${end}`);
}

const SAMPLES_A_SECOND = 8000;

/** The sound of a bell that fades. @returns a WAV file */
export function writeSound(seconds: number): Uint8Array<ArrayBuffer> {
  const count = seconds * SAMPLES_A_SECOND;
  const wav = new Uint8Array(44 + count * 2);
  const view = new DataView(wav.buffer);
  const write = (at: number, text: string) => {
    wav.set(new TextEncoder().encode(text), at);
  };
  write(0, "RIFF");
  view.setUint32(4, 36 + count * 2, true);
  write(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  // PCM, one channel.
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, SAMPLES_A_SECOND, true);
  view.setUint32(28, SAMPLES_A_SECOND * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  write(36, "data");
  view.setUint32(40, count * 2, true);
  for (let index = 0; index < count; index += 1) {
    const at = index / SAMPLES_A_SECOND;
    view.setInt16(44 + index * 2, Math.round(Math.sin(at * 2 * Math.PI * 440) * 12_000 * Math.exp(-at)), true);
  }
  return wav;
}

/** Bytes that do not compress, as the bytes of a film do not. */
export function noise(name: string, sizeBytes: number): Uint8Array<ArrayBuffer> {
  const key = createHash("sha256").update(name).digest();
  const cipher = createCipheriv("aes-256-ctr", key, new Uint8Array(16));
  return new Uint8Array(cipher.update(new Uint8Array(sizeBytes)));
}
