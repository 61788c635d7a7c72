import { host } from "./host.ts";
import type { AccountState, Question } from "./sign-in.ts";
import { t } from "./texts.ts";

/** The settings of one account, as Thunderbird shows them among its own. */

const accountId = new URL(location.href).searchParams.get("accountId") ?? "";
const main = document.querySelector("main");

async function ask(question: Omit<Question, "accountId">): Promise<AccountState> {
  return (await host.runtime.sendMessage({ ...question, accountId })) as AccountState;
}

function show(state: AccountState): void {
  main?.replaceChildren(...elementsOf(state));
  main?.querySelector<HTMLElement>("[data-first]")?.focus();
  if (state.kind === "waiting") void ask({ ask: "wait" }).then(show);
}

function elementsOf(state: AccountState): HTMLElement[] {
  switch (state.kind) {
    case "out":
      return [...alertOf(state.problem), signInForm(state.origin)];
    case "waiting":
      return [
        paragraph(t("typeCode")),
        paragraph(state.code, "code"),
        linkTo(state.page),
        button(t("cancel"), () => ask({ ask: "cancel" })),
      ];
    case "in":
      return [
        ...state.words.map((words) => paragraph(words)),
        ...(state.newer === null ? [] : [paragraph(t("newer")), linkTo(state.newer)]),
        button(t("signOut"), () => ask({ ask: "sign out" })),
      ];
  }
}

function signInForm(origin: string): HTMLElement {
  const form = document.createElement("form");
  const label = document.createElement("label");
  const field = document.createElement("input");
  Object.assign(field, { type: "text", inputMode: "url", value: origin, placeholder: "files.example", required: true });
  field.dataset.first = "";
  label.replaceChildren(t("address"), field);
  const submit = document.createElement("button");
  submit.textContent = t("signIn");
  form.replaceChildren(label, paragraph(t("addressHelp")), submit);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit.disabled = true;
    void ask({ ask: "sign in", address: field.value }).then(show);
  });
  return form;
}

function alertOf(problem: string | null): HTMLElement[] {
  if (problem === null) return [];
  const element = paragraph(problem);
  element.setAttribute("role", "alert");
  return [element];
}

function paragraph(text: string, className = ""): HTMLElement {
  const element = document.createElement("p");
  element.textContent = text;
  element.className = className;
  return element;
}

function linkTo(address: string): HTMLElement {
  const link = document.createElement("a");
  link.href = address;
  link.textContent = address;
  link.addEventListener("click", (event) => {
    event.preventDefault();
    void host.windows.openDefaultBrowser(address);
  });
  return link;
}

function button(words: string, act: () => Promise<AccountState>): HTMLElement {
  const element = document.createElement("button");
  element.type = "button";
  element.textContent = words;
  element.addEventListener("click", () => {
    element.disabled = true;
    void act().then(show);
  });
  return element;
}

void ask({ ask: "state" }).then(show);
