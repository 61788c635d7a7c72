import { browserTranslator } from "./i18n/messages.ts";

/**
 * Asks the person to open the page /human-check. The check runs foreign code, so it has a page of its own, which cannot
 * reach the page that asks.
 * @returns a token for one call; null if the person declines
 */
export function askForHuman(): Promise<string | null> {
  const t = browserTranslator("common");
  const dialog = document.createElement("dialog");
  dialog.className = "m-auto max-w-md rounded-3xl border border-line bg-surface p-6 text-ink backdrop:bg-black/50";
  const title = document.createElement("h2");
  title.className = "font-display text-2xl font-semibold";
  title.id = "human-check-title";
  title.textContent = t("humanTitle");
  const text = document.createElement("p");
  text.className = "mt-2 text-muted";
  text.textContent = t("humanText");
  const link = document.createElement("a");
  link.href = "/human-check";
  link.target = "_blank";
  link.rel = "noopener";
  link.className =
    "mt-5 flex min-h-11 items-center justify-center rounded-xl bg-reed px-5 py-2 font-medium text-on-reed";
  link.textContent = t("humanOpen");
  const cancel = document.createElement("button");
  cancel.type = "button";
  cancel.className = "mt-3 min-h-11 w-full rounded-xl border border-line px-5 py-2";
  cancel.textContent = t("humanCancel");
  dialog.setAttribute("aria-labelledby", title.id);
  for (const part of [title, text, link, cancel]) dialog.appendChild(part);
  document.body.appendChild(dialog);
  return new Promise((resolve) => {
    const channel = new BroadcastChannel("human-check");
    const end = (token: string | null) => {
      channel.close();
      dialog.remove();
      resolve(token);
    };
    channel.onmessage = ({ data }) => end(String(data));
    cancel.onclick = () => end(null);
    dialog.oncancel = () => end(null);
    dialog.showModal();
  });
}
