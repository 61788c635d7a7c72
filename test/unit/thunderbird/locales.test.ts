import { expect, it } from "vitest";
import { localesOf } from "../../../thunderbird/locales.ts";

it("the texts of the add-on have Thunderbird's placeholders, numbered as in English [TB-5]", () => {
  const { en, de } = localesOf();
  expect(en?.signIn).toEqual({ message: "Sign in" });
  expect(de?.limits).toEqual({
    message: "Dateien bis $size$. In diesem Monat sind noch $left$ von $all$ frei.",
    placeholders: { size: { content: "$1" }, left: { content: "$2" }, all: { content: "$3" } },
  });
});
