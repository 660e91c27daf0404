/** Written tables keep their values when a spreadsheet opens them. */
import { expect, test } from "bun:test";
import { csvLine } from "./csv.ts";

test("a cell is quoted only if necessary, and a missing value is an empty cell", () => {
  expect(csvLine(["a", 1, true, null, undefined, ""])).toBe("a,1,true,,,\r\n");
  expect(csvLine(['say "so"', "a,b", "a;b", "two\nlines", " edge"])).toBe(
    '"say ""so""","a,b","a;b","two\nlines"," edge"\r\n',
  );
});

test("text that would begin a formula is escaped; a negative number stays a number", () => {
  expect(csvLine(["=1+1", "+a", "-a", "@a", "\ta", -1])).toBe("'=1+1,'+a,'-a,'@a,'\ta,-1\r\n");
  expect(csvLine(["\uff1d1", "\uff0b1", "\uff0d1", "\uff201", "\n=1"])).toBe(
    `'\uff1d1,'\uff0b1,'\uff0d1,'\uff201,"'\n=1"\r\n`,
  );
  expect(csvLine(['=HYPERLINK("http://x","y")'])).toBe('"\'=HYPERLINK(""http://x"",""y"")"\r\n');
});
