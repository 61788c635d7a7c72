import { buildPages } from "./build.ts";
import { compareRelease } from "./compare-release.ts";

/**
 * `npm run release:check -- https://host`: compares what a live site serves with a build of these sources. Check out
 * the tag of the release first; the site's footer and /release.json name the release. The exit code is 1 when something
 * differs.
 */
const [site] = process.argv.slice(2);
if (site === undefined || !URL.canParse(site)) {
  console.error("Give the address of the site: npm run release:check -- https://host");
  process.exit(2);
}
buildPages();
const { id, checked, differences } = await compareRelease(new URL(site).origin, "build/client");
for (const difference of differences) console.error(difference);
console.log(`${checked} files compared with release ${id}: ${differences.length} differences.`);
if (differences.length > 0) process.exitCode = 1;
