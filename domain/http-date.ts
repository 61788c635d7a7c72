const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
const LONG_DAY = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day";
const MONTH = `(?<month>${MONTHS.join("|")})`;
const TIME = "(?<hour>\\d{2}):(?<minute>\\d{2}):(?<second>\\d{2})";

/** The current format and the two obsolete ones that recipients must accept (RFC 9110 section 5.6.7). */
const FORMS = [
  `${DAY}, (?<day>\\d{2}) ${MONTH} (?<year>\\d{4}) ${TIME} GMT`,
  `${LONG_DAY}, (?<day>\\d{2})-${MONTH}-(?<year>\\d{2}) ${TIME} GMT`,
  `${DAY} ${MONTH} (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})`,
].map((form) => new RegExp(`^${form}$`));

/** Two-digit years count from here: no file is older. */
const CENTURY = 2000;

/** Epoch milliseconds, or null. `Date.parse` accepts other formats too and reads the third one in local time. */
export function parseHttpDate(text: string): number | null {
  for (const form of FORMS) {
    const fields = form.exec(text.trim())?.groups;
    if (!fields) continue;
    const number = (name: string) => Number(fields[name]);
    const year = number("year") < 100 ? CENTURY + number("year") : number("year");
    const month = MONTHS.indexOf(fields.month ?? "");
    const at = Date.UTC(year, month, number("day"), number("hour"), number("minute"), number("second"));
    return new Date(at).getUTCDate() === number("day") ? at : null;
  }
  return null;
}
