import { checkKdf, PASSWORD_HASH_BYTES, type Kdf } from "#domain/seal/password.ts";
import type { Bytes } from "#domain/seal/keys.ts";
import { EXIT, Problem } from "./problem.ts";

/** @returns Argon2id of the password, 32 bytes @throws SealError `version` for a cost that is refused */
export async function hashPassword(password: string, kdf: Kdf): Promise<Bytes> {
  const salt = checkKdf(kdf);
  // Argon2's WebAssembly is loaded only when a link has a password.
  const { argon2id } = await import("hash-wasm");
  const hash = await argon2id({
    password: password.normalize("NFC"),
    salt,
    memorySize: kdf.mKiB,
    iterations: kdf.t,
    parallelism: kdf.p,
    hashLength: PASSWORD_HASH_BYTES,
    outputType: "binary",
  });
  return new Uint8Array(hash);
}

/** @returns the first line of standard input @throws Problem `password` when the line is empty */
export async function readPassword(): Promise<string> {
  let text = "";
  process.stdin.setEncoding("utf8");
  for await (const chunk of process.stdin) {
    text += String(chunk);
    if (text.includes("\n")) break;
  }
  const [line = ""] = text.split(/\r?\n/);
  if (line === "") throw new Problem(EXIT.password, "Standard input holds no password.");
  return line;
}

/** @throws Problem `password` without a terminal, or when the person cancels */
export function askPassword(): Promise<string> {
  if (!process.stdin.isTTY)
    throw new Problem(EXIT.password, "This link needs a password: use a terminal or --password-stdin.");
  return askSecret("Password: ", "No password was given.");
}

/** Asks on the terminal without showing the answer. @throws Problem `password`, with `whenLeft`, on Ctrl-C or Ctrl-D */
function askSecret(question: string, whenLeft: string): Promise<string> {
  const { stdin, stderr } = process;
  // Raw mode is set before the question is written, because the terminal would show a fast answer.
  stdin.setRawMode(true);
  stdin.setEncoding("utf8");
  stdin.resume();
  stderr.write(question);
  return new Promise((resolve, reject) => {
    let typed = "";
    const end = () => {
      stdin.off("data", read);
      stdin.setRawMode(false);
      stdin.pause();
      stderr.write("\n");
    };
    const read = (text: string) => {
      for (const character of text) {
        if (character === "\r" || character === "\n") {
          end();
          resolve(typed);
          return;
        }
        if (character === "\u0003" || character === "\u0004") {
          end();
          reject(new Problem(EXIT.password, whenLeft));
          return;
        }
        if (character === "\u007f" || character === "\b") typed = Array.from(typed).slice(0, -1).join("");
        else typed += character;
      }
    };
    stdin.on("data", read);
  });
}
