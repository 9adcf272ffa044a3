/** An ABN in the groups in which it is written: `51 824 753 556`. */
export function formatAbn(abn: string): string {
  return abn.replaceAll(' ', '').replace(/^(\d{2})(\d{3})(\d{3})(\d{3})$/, '$1 $2 $3 $4');
}

/** The parts of an ABN that are not digits, as people write it: `ABN: 51-824-753-556`, also in full-width digits. */
export const abnDigits = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/^\s*a\.?b\.?n\b\.?:?/i, '')
    .replaceAll(/[\s.\p{Pd}]/gu, '');

const weights = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19];

/** True when the eleven digits pass the Australian Business Register's checksum (P30). Spaces are ignored. */
export function isAbn(text: string): boolean {
  const digits = text.replaceAll(' ', '');
  if (!/^[1-9]\d{10}$/.test(digits)) return false;
  const sum = weights.reduce((total, weight, at) => total + weight * (Number(digits[at]) - (at === 0 ? 1 : 0)), 0);
  return sum % 89 === 0;
}
