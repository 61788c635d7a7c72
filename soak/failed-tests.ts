/** The result that Vitest's reporter "json" writes, as far as it is read here. */
export interface VitestResult {
  numPassedTests: number;
  numFailedTests: number;
  testResults: {
    /** The absolute path of the test file. */
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string }[];
  }[];
}

/** The result that Playwright's reporter "json" writes, as far as it is read here. */
export interface PlaywrightResult {
  stats: { expected: number; unexpected: number };
  /** Errors outside of tests. */
  errors: { message?: string }[];
  suites: PlaywrightSuite[];
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[];
  specs: { file: string; title: string; ok: boolean }[];
}

/** @returns file and name of each failed test, and of each file that failed outside of its tests */
export function failedInVitest({ testResults }: VitestResult, folder = process.cwd()): string[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = name.replace(`${folder}/`, "");
    const failed = assertionResults.filter((test) => test.status === "failed");
    if (failed.length > 0) return failed.map(({ fullName }) => `${file}: ${fullName}`);
    return status === "failed" ? [`${file}: ${firstLine(message)}`] : [];
  });
}

/** @returns file and title of each failed test, and the errors outside of tests */
export function failedInPlaywright({ suites, errors }: PlaywrightResult): string[] {
  const specsOf = (suite: PlaywrightSuite): PlaywrightSuite["specs"] => [
    ...suite.specs,
    ...(suite.suites ?? []).flatMap(specsOf),
  ];
  const failed = suites.flatMap(specsOf).filter(({ ok }) => !ok);
  return [
    ...failed.map(({ file, title }) => `${file}: ${title}`),
    ...errors.map(({ message }) => firstLine(message ?? "An error without a message")),
  ];
}

function firstLine(text: string): string {
  return text.split("\n")[0] ?? "";
}
