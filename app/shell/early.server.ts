/**
 * The first script of each page. Until the page's other scripts have loaded, which takes seconds on a slow line,
 * records presses, choices, drops and typing, and shows pressed elements as busy. When they have loaded,
 * `window.replayEarly` replays the recorded input: see `use-replay-early.ts`. Skips links and forms with an address,
 * which work without scripts.
 *
 * From `hydrateRoot` on, presses, chosen files and drops are not recorded: React handles these events itself, because
 * it hydrates the pressed component at once, so a replayed press would count twice. Typing is recorded until the
 * replay, because React misses what is typed into a field that is not hydrated.
 */
export const EARLY_SCRIPT = `(() => {
  const noted = new Map(), busy = new Set(), listening = new AbortController();
  let isHydrating = false;
  const note = (target, again, shown) => {
    noted.delete(target);
    noted.set(target, again);
    if (!shown) return;
    shown.classList.add("busy");
    busy.add(shown);
  };
  const fire = (target, type) => target.dispatchEvent(new Event(type, { bubbles: true, cancelable: true }));
  // React ignores an input event whose value it has already seen.
  const refill = (target, value) => {
    target.value = value + " ";
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(target), "value").set.call(target, value);
  };
  const hearing = {
    click({ target }) {
      if (isHydrating) return;
      const button = target.closest?.("button");
      if (button?.type === "button") note(button, () => button.click(), button);
    },
    submit(event) {
      const { target: form, submitter } = event;
      if (isHydrating || form.hasAttribute("action") || submitter?.hasAttribute("formaction")) return;
      event.preventDefault();
      note(form, () => form.requestSubmit(submitter), submitter);
    },
    input({ target }) {
      const { type, checked, value } = target;
      if (type === "file") return;
      if (type === "radio" || type === "checkbox") {
        return note(target, () => {
          target.checked = !checked;
          target.click();
        });
      }
      note(target, () => {
        refill(target, value);
        fire(target, "input");
        fire(target, "change");
      });
    },
    change({ target }) {
      if (!isHydrating && target.type === "file") note(target, () => fire(target, "change"), target.closest("label"));
    },
    dragover(event) {
      if (fieldOf(event)) event.preventDefault();
    },
    drop(event) {
      const field = fieldOf(event);
      if (isHydrating || !field) return;
      event.preventDefault();
      const { files } = event.dataTransfer;
      const items = [...event.dataTransfer.items].map((item) => {
        const entry = item.webkitGetAsEntry(), file = item.getAsFile();
        return { kind: item.kind, webkitGetAsEntry: () => entry, getAsFile: () => file };
      });
      note(field, () => {
        const again = new Event("drop", { bubbles: true, cancelable: true });
        again.dataTransfer = { items, files: [...files] };
        field.dispatchEvent(again);
      }, field);
    },
  };
  const fieldOf = ({ target }) => target.closest?.("label:has(input[type=file])");
  for (const [type, hear] of Object.entries(hearing)) {
    addEventListener(type, hear, { capture: true, signal: listening.signal });
  }
  window.beginHydration = () => {
    isHydrating = true;
  };
  window.replayEarly = () => {
    delete window.replayEarly;
    listening.abort();
    for (const shown of busy) shown.classList.remove("busy");
    for (const [target, again] of noted) if (target.isConnected) again();
  };
})()`;
