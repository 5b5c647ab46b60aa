// Recognizes units of items as shops write them: words and abbreviations in many languages, and the codes of UN/ECE
// Recommendation 20.

/** A piece, which is what everybody expects of an item. */
export const PIECES =
  /^(?:pcs?|pieces?|pce|items?|units?|ea|each|x|st|stk|styck|stykke|styks|kpl|stück|stck|szt|stuks?|c62|h87)?\.?$/i;

const MEASURES = {
  kilogram: /^(?:kgs?|kgm|kilos?|kilograms?)$/i,
  gram: /^(?:g|gr|grm|grams?)$/i,
  liter: /^(?:l|ltr|lit(?:er|re)s?)$/i,
  milliliter: /^(?:ml|mlt)$/i,
  meter: /^(?:m|mtr|met(?:er|re)s?)$/i,
  centimeter: /^(?:cm|cmt)$/i,
  millimeter: /^(?:mm|mmt)$/i,
  kilometer: /^(?:km|kmt|ktm)$/i,
  minute: /^(?:min|minutes?)$/i,
  hour: /^(?:h|hrs?|hur|hours?)$/i,
  day: /^(?:d|days?)$/i,
  week: /^(?:wk|wee|weeks?)$/i,
  month: /^(?:mon|mth|months?)$/i,
  year: /^(?:yr|ann|years?)$/i,
};

export type Measure = keyof typeof MEASURES;

/** As Intl calls it; undefined for a word of the shop's own. */
export const measureOf = (unit: string): Measure | undefined =>
  (Object.keys(MEASURES) as Measure[]).find((measure) => MEASURES[measure].test(unit.trim()));
