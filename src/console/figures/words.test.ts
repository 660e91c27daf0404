import { expect, test } from "bun:test";
import { changeText, moneyText, percentText, pointsText, shortText, signedText } from "./words.ts";

test("a share is shown to a tenth of a percent, a missing one as such", () => {
  expect([0.71234, 1, 0, null].map(percentText)).toEqual(["71.2%", "100%", "0%", "—"]);
});

test("amounts keep their currency and their sign", () => {
  expect(moneyText(11_820, "EUR")).toBe("€118.20");
  expect(moneyText(-150, "EUR")).toBe("−€1.50");
  expect(moneyText(1_250, "JPY")).toBe("JP¥1,250");
  expect(shortText(1_234_500, "EUR")).toBe("12.3k");
  expect(shortText(1_500, "JPY")).toBe("1.5k");
});

test("a difference is that of what is shown", () => {
  expect(pointsText(0.7124, 0.6502)).toBe("+6.2 points");
  expect(pointsText(0.7124, 0.7116)).toBe("0 points");
  expect(pointsText(null, 0.5)).toBeNull();
  expect([3, 0, -2].map(signedText)).toEqual(["+3", "0", "−2"]);
});

test("a change is of what was; of nothing there is none", () => {
  expect(changeText(150, 100)).toBe("+50%");
  expect(changeText(75, 100)).toBe("−25%");
  expect(changeText(100, 0)).toBeNull();
  expect(changeText(100, null)).toBeNull();
});
