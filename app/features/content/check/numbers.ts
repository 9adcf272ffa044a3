/** A number in figures, or in words from one to ninety-nine; undefined for any other word. */
export function numberFrom(text: string): number | undefined {
  if (/^\d/.test(text)) return Number(text);
  const words = text.toLowerCase();
  if (belowTwenty.includes(words)) return belowTwenty.indexOf(words) + 1;
  const [ten = '', unit] = words.split('-');
  if (!tens.includes(ten)) return undefined;
  return (tens.indexOf(ten) + 2) * 10 + (unit === undefined ? 0 : belowTwenty.indexOf(unit) + 1);
}

const tens = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const belowTwenty =
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
