import { globSync, readFileSync } from "node:fs";

/** A sentence of docs/requirements.md. */
export interface Requirement {
  id: string;
  text: string;
}

/** A test, or a group of tests, whose title ends with the ids of the requirements that it shows: `[UP-1, UP-11]`. */
export interface Proof {
  file: string;
  /** The title as it is written, without the ids. */
  title: string;
  ids: string[];
  /** Whether `npm test` runs the test; else only the soak does. */
  isEveryday: boolean;
}

const TITLE_WITH_IDS =
  /(?<quote>["'`])(?<title>(?:\\.|(?!\k<quote>)[^\\\n])+) \[(?<ids>[A-Z]+-\d[^\]\n]*)\](?: @everyday)?\k<quote>/g;

/** @returns every requirement, in the order of the document */
export function readRequirements(): Requirement[] {
  const lines = readFileSync("docs/requirements.md", "utf8").matchAll(/^- \*\*([A-Z]+-\d+)\*\* (.+)$/gm);
  return [...lines].map(([, id = "", text = ""]) => ({ id, text }));
}

/** @returns every test that shows a requirement, sorted by file */
export function readProofs(): Proof[] {
  return globSync("{soak,test}/**/*.ts").sort().flatMap(proofsOf);
}

function proofsOf(file: string): Proof[] {
  const code = readFileSync(file, "utf8");
  const longGroups = [...code.matchAll(/^describe.*\{ tags: "long" \}[^]*?^\}\);/gm)];
  const isLong = (start: number, end: number) =>
    file.startsWith("soak/") ||
    code.startsWith("// @module-tag long") ||
    /^,\s*\{ tags: "long"/.test(code.slice(end, end + 100)) ||
    longGroups.some((group) => group.index < start && start < group.index + group[0].length);
  return [...code.matchAll(TITLE_WITH_IDS)].map(({ 0: whole, index, groups: { title = "", ids = "" } = {} }) => ({
    file,
    title,
    ids: ids.split(", "),
    isEveryday: file.startsWith("test/e2e/") ? whole.includes("@everyday") : !isLong(index, index + whole.length),
  }));
}

/** Prints each requirement with its tests. */
function printAll(): void {
  const proofs = readProofs();
  const requirements = readRequirements().map((requirement) => ({
    ...requirement,
    proofs: proofs.filter(({ ids }) => ids.includes(requirement.id)),
  }));
  for (const { id, text, proofs } of requirements) {
    console.log(`${id} ${text}`);
    for (const { file, title, isEveryday } of proofs) console.log(`  ${file}: ${title}${isEveryday ? "" : " (soak)"}`);
  }
  const inSoak = requirements.filter(({ proofs }) => !proofs.some(({ isEveryday }) => isEveryday));
  console.log(`\n${requirements.length} requirements, ${proofs.length} tests.`);
  console.log(`Only the soak shows ${inSoak.length}: ${inSoak.map(({ id }) => id).join(", ")}.`);
}

// Node 22 has no import.meta.main.
if (process.argv[1] === import.meta.filename) printAll();
